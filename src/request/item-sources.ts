import type { CallEntry, ItemEntry, OutputEntry, ReasoningEntry } from '../core/entry.js';
import type { SystemMessage, UserMessage } from '../core/message.js';
import type { InputItem } from '../wire/input-item.js';

/** The origin of a request's item: a message of the caller's, or an entry of another turn. */
export interface Source {
  readonly message?: SystemMessage | UserMessage;
  /** The call or the request for approval, also for its answering item; else the item or the reasoning itself. */
  readonly entry?: CallEntry | ItemEntry | OutputEntry | ReasoningEntry;
  readonly side?: 'call' | 'output';
}

const SOURCES = new WeakMap<object, Source>();

export function sourceOf(item: object): Source | undefined {
  return SOURCES.get(item);
}

export function setSource(item: InputItem, source: Source | undefined): void {
  if (source !== undefined) SOURCES.set(item, source);
}

import type { CallEntry, ItemEntry, OutputEntry } from '../core/entry.js';
import type { InputItem } from '../wire/input-item.js';

/** The origin of a request's item. */
export interface Source {
  /** The call or the request for approval, also of the item that answers it; else the item itself. */
  readonly entry: CallEntry | ItemEntry | OutputEntry;
  readonly side?: 'call' | 'output';
}

const SOURCES = new WeakMap<InputItem, Source>();

export function sourceOf(item: InputItem): Source | undefined {
  return SOURCES.get(item);
}

export function setSource(item: InputItem, source: Source | undefined): void {
  if (source !== undefined) SOURCES.set(item, source);
}

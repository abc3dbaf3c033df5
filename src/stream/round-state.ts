import type { JsonObject } from '../core/json.js';
import type { AssistantContent } from '../core/message.js';
import type { ResponseFacts, RoundPart } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import type { Usage } from '../core/usage.js';
import { asId } from '../util/guards.js';
import type { NamelessSource } from './annotation-source.js';
import { SlotTable } from './slot-table.js';
import type { OtherSlot } from './slot.js';

/** Calls that items of their own answer, and those items: whichever comes first waits for the other, in turn. */
class CallPairs {
  readonly #calls = new Map<string, Queue<OtherSlot>>();
  readonly #outputs = new Map<string, Queue<JsonObject>>();

  /** The output of a call, if it came before the call; else the call waits for it. */
  outputOf(key: string, call: OtherSlot): JsonObject | undefined {
    const output = take(this.#outputs, key);
    if (output === undefined) put(this.#calls, key, call);
    return output;
  }

  /** The call that an output answers, if it has come; else the output waits for it. */
  callOf(key: string, output: JsonObject): OtherSlot | undefined {
    const call = take(this.#calls, key);
    if (call === undefined) put(this.#outputs, key, output);
    return call;
  }
}

/** Not shifted: a server may send any number of them. */
interface Queue<T> {
  readonly items: T[];
  next: number;
}

function put<T>(queues: Map<string, Queue<T>>, key: string, item: T): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, { items: [item], next: 0 });
  else queue.items.push(item);
}

function take<T>(queues: Map<string, Queue<T>>, key: string): T | undefined {
  const queue = queues.get(key);
  const item = queue?.items[queue.next];
  if (queue !== undefined && item !== undefined) queue.next += 1;
  return item;
}

/** Everything a round remembers while it is read: the one place with mutable state. */
export class RoundState {
  readonly table = new SlotTable();
  /** Each is said once. */
  readonly warnings = new Set<string>();
  /** Wire ids of function calls whose output the response brought along. */
  readonly answeredWireIds = new Set<string>();
  /** Other calls and what answers them: see `pairKey`. */
  readonly pairs = new CallPairs();
  responseId: string | undefined;
  /** How many facts about the response were emitted already. */
  emittedFacts = 0;
  refused = false;
  usage: Usage = {};
  responseFacts: ResponseFacts | undefined;
  /** Where parts go: the batch of the chunk being read. */
  batch: RoundPart[] = [];

  readonly ids: RoundIds;

  readonly #cited = new Set<string>();

  /** Takes secrets out of a text of the server that is not the model's answer. */
  readonly clean: (text: string) => string;
  #model: string | undefined;
  #saidModel: unknown;

  constructor(ids: RoundIds, clean: (text: string) => string) {
    this.ids = ids;
    this.clean = clean;
  }

  /** The model's name; servers repeat it in every event that holds the response. */
  modelOf(said: unknown): string | undefined {
    if (said !== this.#saidModel) {
      const name = asId(said);
      this.#model = name === undefined ? undefined : this.clean(name);
      this.#saidModel = said;
    }
    return this.#model;
  }

  emit(part: RoundPart): void {
    this.batch.push(part);
  }

  /** Emits a source, once: servers list what a search found and cite it again. */
  cite(source: NamelessSource, slotKey: string): void {
    const name = source.kind === 'url' ? source.url : `${source.fileId ?? ''}:${source.title}`;
    if (this.#cited.has(name)) return;
    this.emit({ type: 'source', id: this.partId(`${slotKey}.source${this.#cited.size}`), ...source });
    this.#cited.add(name);
  }

  partId(slotKey: string): string {
    return this.ids.partId(this.responseId, slotKey);
  }

  warn(message: string): void {
    this.warnings.add(message);
  }
}

export type WireObject = Readonly<Record<string, unknown>>;

/** What one item family does at each moment of an item's life. */
export interface ItemHandler<S> {
  /** `output_item.added`: the server announced the item; what stands in it may be a beginning or the whole. */
  added(slot: S, item: WireObject, state: RoundState): void;
  /** `output_item.done` or the final snapshot: the whole item; fills in what streaming missed. */
  done(slot: S, item: WireObject, state: RoundState): void;
  /** The round is over: close what is open. `complete`: the server said it finished everything. */
  close(slot: S, state: RoundState, complete: boolean): void;
  /** What the next request replays; `undefined` when there is nothing worth it. */
  content(slot: S): AssistantContent | undefined;
}

export type EventHandler = (event: WireObject, state: RoundState) => void;
export type EventTable = Readonly<Record<string, EventHandler>>;

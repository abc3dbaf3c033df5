import type { Draft, Entry, Fault, ItemEntry, Turn } from '../core/entry.js';
import { answeredKind, runnerOf } from '../items/kinds.js';
import { pairOf } from '../items/pairs.js';
import { asString } from '../util/guards.js';

type Item = Draft<ItemEntry>;

/** The items of a conversation with one key. */
interface Pair {
  calls: number;
  outputs: number;
  /** Calls without their outputs. */
  open: Item[];
  /** The parts that repetitions of the last output share. */
  shared?: unknown;
}

/**
 * Pairs items of responses. Servers refuse a request in which such a call lacks its output, an output its call, or
 * either is repeated: such an item gets a fault. An output before its call in one turn moves behind it.
 */
export class KnownItems {
  readonly #pairs = new Map<string, Pair>();
  /** Outputs of this turn before their calls. */
  readonly #early = new Map<string, Item>();
  readonly #moved = new Set<Entry>();
  /** Calls of this part that need an output. */
  readonly #waiting = new Map<Item, Pair>();

  /** `before`: the turns to which the next part is added. */
  constructor(before: readonly Turn[] = []) {
    for (const turn of before) {
      if (turn.role !== 'assistant') continue;
      for (const entry of turn.entries)
        if (entry.type === 'item' && entry.fault === undefined) this.place({ ...entry });
    }
    this.endPart();
  }

  /** Returns the entries for an item, at its place. */
  place(item: Item): ItemEntry[] {
    const { call, output } = pairOf(item.item);
    if (call !== undefined) return this.#call(item, call);
    if (output !== undefined) return this.#output(item, output);
    return [item];
  }

  /** Ends a turn, and takes outputs out of `entries` that moved behind their calls. An early output waits for this turn only. */
  endTurn(entries: Entry[]): void {
    if (this.#moved.size > 0) {
      const kept = entries.filter((entry) => !this.#moved.has(entry));
      entries.length = 0;
      for (const entry of kept) entries.push(entry);
    }
    this.#moved.clear();
    this.#early.clear();
  }

  /** Ends a part of the conversation. A call that still needs an output is at fault. */
  endPart(): void {
    for (const [item, pair] of this.#waiting) {
      item.fault = 'it has no output';
      pair.calls -= 1;
    }
    for (const pair of new Set(this.#waiting.values()))
      pair.open = pair.open.filter(({ fault }) => fault === undefined);
    this.#waiting.clear();
  }

  #call(item: Item, key: string): ItemEntry[] {
    const pair = this.#pairAt(key);
    // Searches of the server have no id.
    if (pair.calls > 0 && !key.endsWith(' ')) return [faulty(item, 'it comes twice')];
    pair.calls += 1;
    pair.open.push(item);
    if (runnerOf(item.item) !== 'server') this.#waiting.set(item, pair);
    const early = this.#early.get(key);
    if (early === undefined) return [item];
    this.#early.delete(key);
    this.#moved.add(early);
    const { fault: _fault, ...rest } = early;
    const moved: Item = rest;
    this.#answer(moved, pair);
    return [item, moved];
  }

  #output(item: Item, key: string): ItemEntry[] {
    const pair = this.#pairAt(key);
    if (pair.outputs < pair.calls) {
      this.#answer(item, pair);
      return [item];
    }
    if (pair.calls > 0) {
      const shared = sharedBy(item);
      // Histories of two providers may have an output twice, in a part and in a carrier. Nothing is lost then.
      if (shared !== undefined && shared === pair.shared) return [];
      return [faulty(item, 'it comes twice')];
    }
    if (this.#early.has(key)) return [faulty(item, 'it comes twice')];
    this.#early.set(key, item);
    return [faulty(item, 'it has no call')];
  }

  #answer(item: Item, pair: Pair): void {
    const call = pair.open.pop();
    if (call !== undefined) this.#waiting.delete(call);
    if (call !== undefined) item.answers = call;
    pair.outputs += 1;
    pair.shared = sharedBy(item);
  }

  #pairAt(key: string): Pair {
    const pair = this.#pairs.get(key) ?? { calls: 0, outputs: 0, open: [] };
    this.#pairs.set(key, pair);
    return pair;
  }
}

function faulty(item: Item, fault: Fault): Item {
  item.fault = fault;
  return item;
}

function sharedBy({ item }: ItemEntry): unknown {
  return answeredKind(asString(item['type']) ?? '')?.output.repeatedBy?.(item);
}

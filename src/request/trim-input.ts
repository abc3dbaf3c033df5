import type { InputItem } from '../wire/input-item.js';
import { completeExchanges, isNotable, keptIn, lengthOfOutput, writeNote } from './old-calls.js';
import type { Shorten } from './input-items.js';

/** What was left out before a round. */
export interface Trim {
  readonly round: number;
  /** Characters of the input before and after. */
  readonly chars: number;
  readonly keptChars: number;
  /** Outputs that a note took the place of. */
  readonly outputs: number;
  /** Calls that were left out with their outputs. */
  readonly calls: number;
}

export interface TrimmerOptions {
  readonly maxChars: number;
  /** Called once for each step. */
  readonly onTrim: (trim: Trim) => void;
  /** The input is too long, and there is nothing more to leave out; once, until there is again. */
  readonly onStuck: (round: number, chars: number) => void;
}

interface Shortened {
  readonly items: readonly InputItem[];
  readonly count: number;
}

const NOTHING: ReadonlySet<InputItem> = new Set();

/** So much of the limit is left after a step: with more there would soon be one every round. */
const KEPT_PART = 0.75;

/**
 * Keeps the input of a call's rounds within so many characters, for servers that do not sum up a conversation themselves.
 * In steps, so that the server's cache breaks once a step: old outputs become notes, the oldest first; if that is not
 * enough, old calls go as a whole, but for one, which says so. What is left out hangs on nothing but the conversation and
 * the limit, so that it is the same in another process.
 */
export class InputTrimmer {
  readonly #options: TrimmerOptions;
  readonly #sizes = new WeakMap<InputItem, number>();
  /** Notes, with the length of what they stand for. */
  readonly #notes = new WeakMap<InputItem, number>();
  /** The output that says how many calls were left out behind it. */
  #mark: { readonly item: InputItem; readonly calls: number } | undefined;
  #isStuck = false;
  /** Of the items as they were given back last, so that a round costs no more than what it adds. */
  #known = { count: 0, chars: 0 };

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  readonly shorten: Shorten = (items, recent, round) => {
    const { maxChars, onTrim, onStuck } = this.#options;
    const chars = this.#grownTo(items, recent.at(-1) ?? []);
    this.#known = { count: items.length, chars };
    const wasStuck = this.#isStuck;
    this.#isStuck = false;
    if (chars <= maxChars) return items;
    const kept = keptIn(items, recent);
    const noted = this.#withNotes(items, kept, chars - maxChars * KEPT_PART);
    const short = this.#withoutCalls(noted.items, kept, this.#charsOf(noted.items) - maxChars * KEPT_PART);
    const keptChars = this.#charsOf(short.items);
    this.#known = { count: short.items.length, chars: keptChars };
    this.#isStuck = keptChars > maxChars;
    if (round === undefined) return short.items;
    if (noted.count + short.count > 0) onTrim({ round, chars, keptChars, outputs: noted.count, calls: short.count });
    if (this.#isStuck && !wasStuck) onStuck(round, keptChars);
    return short.items;
  };

  /** The characters of items to which these were added; of all of them, if others were left out meanwhile. */
  #grownTo(items: readonly InputItem[], added: readonly InputItem[]): number {
    const { count, chars } = this.#known;
    return items.length === count + added.length ? chars + this.#charsOf(added) : this.#charsOf(items);
  }

  #charsOf(items: readonly InputItem[]): number {
    let sum = 0;
    for (const item of items) sum += this.#sizeOf(item);
    return sum;
  }

  #sizeOf(item: InputItem): number {
    const known = this.#sizes.get(item);
    if (known !== undefined) return known;
    // With the comma behind it.
    const size = JSON.stringify(item).length + 1;
    this.#sizes.set(item, size);
    return size;
  }

  /** With notes in place of the oldest outputs, until so many characters are saved. */
  #withNotes(items: readonly InputItem[], kept: ReadonlySet<InputItem>, excess: number): Shortened {
    let left = excess;
    let count = 0;
    const shorter = items.map((item) => {
      if (left <= 0 || kept.has(item) || this.#notes.has(item) || !isNotable(item)) return item;
      const note = this.#noteFor(item);
      const saved = this.#sizeOf(item) - this.#sizeOf(note);
      if (saved <= 0) return item;
      left -= saved;
      count += 1;
      return note;
    });
    return { items: shorter, count };
  }

  /** Without the oldest calls, their outputs and what led to them, until so many characters are saved. */
  #withoutCalls(items: readonly InputItem[], kept: ReadonlySet<InputItem>, excess: number): Shortened {
    const exchanges = excess <= 0 ? [] : completeExchanges(items, kept);
    const known = this.#mark !== undefined && items.includes(this.#mark.item) ? this.#mark : undefined;
    const marked = known?.item ?? exchanges.flat().find(isNotable);
    const gone = marked === undefined ? NOTHING : this.#oldest(exchanges, marked, excess);
    const count = [...gone].filter((item) => lengthOfOutput(item) !== undefined).length;
    if (count === 0 || marked === undefined) return { items, count };
    const calls = (known?.calls ?? 0) + count;
    const mark = { item: this.#noteFor(marked, calls), calls };
    this.#mark = mark;
    const left = items.filter((item) => !gone.has(item));
    return { items: left.map((item) => (item === marked ? mark.item : item)), count };
  }

  /** The items of as many exchanges as take so many characters, the first ones; but for the one that is to say so. */
  #oldest(exchanges: readonly InputItem[][], marked: InputItem, chars: number): ReadonlySet<InputItem> {
    const oldest = new Set<InputItem>();
    let left = chars;
    for (const exchange of exchanges) {
      if (left <= 0) break;
      if (exchange.includes(marked)) continue;
      for (const item of exchange) oldest.add(item);
      left -= this.#charsOf(exchange);
    }
    return oldest;
  }

  #noteFor(item: InputItem, callsBehind = 0): InputItem {
    const chars = this.#notes.get(item) ?? lengthOfOutput(item) ?? 0;
    const others = callsBehind === 0 ? '' : `; calls left out behind it: ${callsBehind}`;
    const note = writeNote(item, `[output of an earlier call, left out: ${chars} characters${others}]`);
    this.#notes.set(note, chars);
    return note;
  }
}

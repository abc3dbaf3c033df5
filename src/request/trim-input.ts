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
  /** The input of the last round, so that the next one counts only what is new. */
  #counted: { readonly count: number; readonly last: InputItem | undefined; readonly chars: number } = {
    count: 0,
    last: undefined,
    chars: 0,
  };
  /** Notes, with the length of what they stand for. */
  readonly #notes = new WeakMap<InputItem, number>();
  /** The output that says how many calls were left out behind it. */
  #mark: { readonly item: InputItem; readonly calls: number } | undefined;
  #isStuck = false;

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  readonly shorten: Shorten = (items, recent, round) => {
    const { maxChars, onTrim, onStuck } = this.#options;
    const chars = this.#count(items);
    const wasStuck = this.#isStuck;
    this.#isStuck = false;
    if (chars <= maxChars) return items;
    const kept = keptIn(items, recent);
    const noted = this.#withNotes(items, kept, chars - maxChars * KEPT_PART);
    const short = this.#withoutCalls(noted.items, kept, this.#charsOf(noted.items) - maxChars * KEPT_PART);
    const keptChars = this.#charsOf(short.items);
    this.#remember(short.items, keptChars);
    this.#isStuck = keptChars > maxChars;
    if (round === undefined) return short.items;
    if (noted.count + short.count > 0) onTrim({ round, chars, keptChars, outputs: noted.count, calls: short.count });
    if (this.#isStuck && !wasStuck) onStuck(round, keptChars);
    return short.items;
  };

  /** An input only grows at its end, or loses items: as long as its last one stands where it stood, so do those before it. */
  #count(items: readonly InputItem[]): number {
    const { count, last, chars } = this.#counted;
    const isLonger = count > 0 && items[count - 1] === last;
    const sum = isLonger ? chars + this.#charsOf(items.slice(count)) : this.#charsOf(items);
    this.#remember(items, sum);
    return sum;
  }

  #remember(items: readonly InputItem[], chars: number): void {
    this.#counted = { count: items.length, last: items.at(-1), chars };
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

import type { JsonObject, JsonValue } from '../core/json.js';
import { noteOf } from '../items/pairs.js';
import { asRecord } from '../util/guards.js';
import type { InputItem } from '../wire/input-item.js';
import type { Shorten } from './input-items.js';
import { setSource, sourceOf } from './item-sources.js';

/** The outputs removed before a round. */
export interface Trim {
  readonly round: number;
  /** Characters of the input before and after. */
  readonly chars: number;
  readonly keptChars: number;
  /** Outputs that a note replaced. */
  readonly outputs: number;
  /** Calls that were removed with their outputs. */
  readonly calls: number;
}

export interface TrimmerOptions {
  readonly maxChars: number;
  readonly onTrim: (trim: Trim) => void;
  /** Called if the input is too long and nothing more can be omitted; once, until something can again. */
  readonly onStuck: (round: number, chars: number) => void;
}

interface Shortened {
  readonly items: readonly InputItem[];
  readonly count: number;
}

const NOTHING: ReadonlySet<InputItem> = new Set();

/** The share of the limit that remains after a step. With more, a step would soon follow every round. */
const KEPT_PART = 0.75;

const NO_ITEMS = { count: 0, last: undefined, chars: 0 };

/**
 * Keeps the input of a call's rounds below a number of characters, for servers that do not summarize a conversation.
 * Works in steps, because each step breaks the server's prompt cache. Old outputs become notes first. If that is not enough,
 * old calls are removed whole, except one, whose note counts them. The result depends on nothing but the conversation and the
 * limit, so another process makes the same one.
 */
export class InputTrimmer {
  readonly #options: TrimmerOptions;
  readonly #sizes = new WeakMap<InputItem, number>();
  /** Notes, with the length of the output that each replaces. */
  readonly #notes = new WeakMap<InputItem, number>();
  /** The note that counts the calls removed behind it. */
  #mark: { readonly item: InputItem; readonly calls: number } | undefined;
  #isStuck = false;
  /** The size of the last result, so that a round costs no more than what it adds. */
  #known: { readonly count: number; readonly last: InputItem | undefined; readonly chars: number } = NO_ITEMS;

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  readonly shorten: Shorten = (items, recent, round) => {
    const { maxChars, onTrim, onStuck } = this.#options;
    const chars = this.#grownTo(items, recent.at(-1) ?? []);
    this.#known = { count: items.length, last: items.at(-1), chars };
    const wasStuck = this.#isStuck;
    this.#isStuck = false;
    if (chars <= maxChars) return items;
    const kept = keptIn(items, recent);
    const noted = this.#withNotes(items, kept, chars - maxChars * KEPT_PART);
    const short = this.#withoutCalls(noted.items, kept, this.#charsOf(noted.items) - maxChars * KEPT_PART);
    const keptChars = this.#charsOf(short.items);
    this.#known = { count: short.items.length, last: short.items.at(-1), chars: keptChars };
    this.#isStuck = keptChars > maxChars;
    if (round === undefined) return short.items;
    if (noted.count + short.count > 0) onTrim({ round, chars, keptChars, outputs: noted.count, calls: short.count });
    if (this.#isStuck && !wasStuck) onStuck(round, keptChars);
    return short.items;
  };

  /** Returns the characters of all items. Counts only the added ones if the others are those of the last result. */
  #grownTo(items: readonly InputItem[], added: readonly InputItem[]): number {
    const { count, last, chars } = this.#known;
    const isGrown = items.length === count + added.length && items[count - 1] === last;
    return isGrown ? chars + this.#charsOf(added) : this.#charsOf(items);
  }

  #charsOf(items: readonly InputItem[]): number {
    let sum = 0;
    for (const item of items) sum += this.#sizeOf(item);
    return sum;
  }

  #sizeOf(item: InputItem): number {
    const known = this.#sizes.get(item);
    if (known !== undefined) return known;
    // Includes the comma behind it.
    const size = JSON.stringify(item).length + 1;
    this.#sizes.set(item, size);
    return size;
  }

  /** Replaces the oldest outputs by notes until so many characters are saved. */
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

  /** Removes the oldest calls, their outputs and the reasoning before them until so many characters are saved. */
  #withoutCalls(items: readonly InputItem[], kept: ReadonlySet<InputItem>, excess: number): Shortened {
    const exchanges = excess <= 0 ? [] : completeExchanges(items, kept);
    const known = this.#mark !== undefined && items.includes(this.#mark.item) ? this.#mark : undefined;
    const marked = known?.item ?? exchanges.flat().find(isNotable);
    const gone = marked === undefined ? NOTHING : this.#oldest(exchanges, marked, excess);
    const count = [...gone].filter((item) => sourceOf(item)?.side === 'output').length;
    if (count === 0 || marked === undefined) return { items, count };
    const calls = (known?.calls ?? 0) + count;
    const mark = { item: this.#noteFor(marked, calls), calls };
    this.#mark = mark;
    const left = items.filter((item) => !gone.has(item));
    return { items: left.map((item) => (item === marked ? mark.item : item)), count };
  }

  /** Returns the items of the first exchanges that take so many characters. Skips the one whose note counts them. */
  #oldest(exchanges: readonly (readonly InputItem[])[], marked: InputItem, chars: number): ReadonlySet<InputItem> {
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
    const chars = this.#notes.get(item) ?? lengthOfOutput(item);
    const others = callsBehind === 0 ? '' : `; calls left out behind it: ${callsBehind}`;
    const note = writeNote(item, `[output of an earlier call, left out: ${chars} characters${others}]`);
    this.#notes.set(note, chars);
    setSource(note, sourceOf(item));
    return note;
  }
}

/** The last rounds, whose outputs always stay. */
const KEPT_ROUNDS = 2;

/** Items are JSON objects, although their types do not show it. */
function jsonOf(item: InputItem): JsonObject {
  return item as unknown as JsonObject;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  // A record in parsed JSON is a JSON object.
  return (asRecord(value) ?? {}) as JsonObject;
}

/** Whether a program of the model reads the output as JSON, maybe repeatedly. */
function isForProgram(item: InputItem): boolean {
  return objectOf(jsonOf(item)['caller'])['type'] === 'program';
}

/** Whether a note may replace an output. */
export function isNotable(item: InputItem): boolean {
  return typeof noteOf(item.type) === 'function' && !isForProgram(item);
}

/** Returns the item with a note as its output. */
export function writeNote(item: InputItem, note: string): InputItem {
  const json = jsonOf(item);
  const write = noteOf(item.type);
  // The same item with another output.
  return typeof write === 'function' ? ({ ...json, output: write(json, note) } as unknown as InputItem) : item;
}

/** Returns the characters of an output: of its text, or of its JSON. */
function lengthOfOutput(item: InputItem): number {
  const { output = '' } = jsonOf(item);
  return (typeof output === 'string' ? output : JSON.stringify(output)).length;
}

/** Returns the outputs that always stay: those of the last rounds, in the call or in its prompt. */
function keptIn(items: readonly InputItem[], recent: readonly (readonly InputItem[])[]): ReadonlySet<InputItem> {
  const kept = new Set(recent.flat());
  let rounds = KEPT_ROUNDS - recent.length;
  let isInRound = false;
  for (const item of items.toReversed()) {
    if (kept.has(item)) continue;
    const side = sourceOf(item)?.side;
    if (side === 'call') isInRound = false;
    if (side !== 'output') continue;
    // Behind it, a call of the next round has been seen.
    if (!isInRound) rounds -= 1;
    if (rounds < 0) break;
    isInRound = true;
    kept.add(item);
  }
  return kept;
}

/** Returns exchanges that may be removed, oldest first: calls with all their outputs and the reasoning before them. */
export function completeExchanges(
  items: readonly InputItem[],
  kept: ReadonlySet<InputItem>,
): readonly (readonly InputItem[])[] {
  const exchanges: InputItem[][] = [];
  let current: InputItem[] | undefined;
  let isAnswered = false;
  for (const item of items) {
    const side = sourceOf(item)?.side;
    if (side === undefined && item.type !== 'reasoning') {
      current = undefined;
      continue;
    }
    // Behind an output, anything but another output begins a new exchange.
    if (current === undefined || (side !== 'output' && isAnswered)) {
      exchanges.push((current = []));
      isAnswered = false;
    }
    current.push(item);
    isAnswered ||= side === 'output';
  }
  return exchanges.filter((exchange) => isComplete(exchange, kept));
}

/** Whether it has an output for each call, a call for each output, and no output that has to stay. */
function isComplete(exchange: readonly InputItem[], kept: ReadonlySet<InputItem>): boolean {
  const open = new Set<unknown>();
  let isAnswered = false;
  for (const item of exchange) {
    const { entry, side } = sourceOf(item) ?? {};
    if (side === 'call') open.add(entry);
    if (side !== 'output') continue;
    isAnswered = true;
    if (!open.delete(entry) || kept.has(item) || !mayGo(item)) return false;
  }
  return isAnswered && open.size === 0;
}

/** Tools that a search found always stay, and so does an output that a program reads. */
function mayGo(output: InputItem): boolean {
  return isNotable(output) || noteOf(output.type) === 'drop';
}

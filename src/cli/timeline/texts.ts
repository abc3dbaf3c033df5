import type { Ranges } from '../../node/event-format.js';
import type { Size } from './model.js';

/** A larger gap between numbers is a mistake, and its holes would need memory. */
const MAX_GAP = 100_000;

/** JSON texts by their numbers, from 1. */
export class Texts {
  readonly all: string[] = [];
  /** Characters of all texts up to each. */
  readonly #sums: number[] = [0];

  get count(): number {
    return this.all.length;
  }

  add(text: string): number {
    this.all.push(text);
    this.#sums.push((this.#sums.at(-1) ?? 0) + text.length);
    return this.count;
  }

  /** Stores a text under the file's own number; lines before it may be missing. */
  put(number: number, text: string): boolean {
    if (number <= this.count || number > this.count + MAX_GAP) return false;
    while (this.count < number - 1) this.add('null');
    this.add(text);
    return true;
  }

  /** Returns the size of the ranges, limited to `first` and `last`. */
  sizeOf(ranges: Ranges, first: number, last: number): Size {
    let [items, chars] = [0, 0];
    for (let at = 0; at < ranges.length; at += 2) {
      const from = Math.max(ranges[at] ?? 0, first);
      const to = Math.min(ranges[at + 1] ?? 0, last, this.count);
      if (to < from) continue;
      items += to - from + 1;
      chars += (this.#sums[to] ?? 0) - (this.#sums[from - 1] ?? 0);
    }
    return { items, chars };
  }
}

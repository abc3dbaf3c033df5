import type { ContentPart } from '../core/part.js';
import type { TextFilter, TextPart } from '../loop/broken-round.js';

/** A repetition of the end counts from so many characters on; a shorter one may be chance, as in "1" and "10". */
const LEAST = 12;
/** How far from the end a repetition may begin. */
const MOST = 1_000;

/**
 * Joins the first text of a round to what was shown before: drops its beginning if that repeats the shown text from its
 * start, or a piece at the end of it. The text is withheld while it may be such a repetition. White space is not
 * compared, because models write it anew.
 */
export class JoinedText implements TextFilter {
  readonly #shown: string;
  /** White space at the end of the shown text. */
  readonly #gap: string;
  /** The place in the shown text where the withheld text may begin. */
  #starts: readonly number[];
  /** Compared characters. */
  #count = 0;
  #held = '';
  /** The length of the repetition in the withheld text. */
  #repeated = 0;
  #start: TextPart | undefined;
  #id: string | undefined;
  #isJoined = false;

  constructor(shown: string) {
    const text = shown.replace(/\s/g, '');
    this.#shown = text;
    this.#gap = shown.slice(shown.trimEnd().length);
    const first = Math.max(1, text.length - MOST);
    this.#starts = [0, ...Array.from({ length: text.length - first }, (_, index) => first + index)];
  }

  passes(id: string): boolean {
    return this.#id !== id || (this.#isJoined && this.#start === undefined);
  }

  text(part: TextPart): ContentPart[] {
    this.#id ??= part.id;
    if (part.id !== this.#id) return [...this.end(), part];
    if (part.type === 'text-start') {
      this.#start = part;
      return [];
    }
    if (part.type === 'text-delta') return this.#take(part.delta);
    const rest = this.end();
    // A text without anything new is not shown.
    return this.#start === undefined ? [...rest, part] : rest;
  }

  call(): ContentPart[] {
    return this.end();
  }

  end(): ContentPart[] {
    if (this.#isJoined) return [];
    this.#isJoined = true;
    const held = this.#held.slice(this.#repeated);
    this.#held = '';
    return this.#say(this.#repeated > 0 && held.startsWith(this.#gap) ? held.slice(this.#gap.length) : held);
  }

  #take(delta: string): ContentPart[] {
    if (this.#isJoined) return this.#say(delta);
    const before = this.#held.length;
    this.#held += delta;
    for (let at = 0; at < delta.length; at += 1) {
      const character = delta.charAt(at);
      if (character.trim() !== '' && !this.#compare(character, before + at + 1)) return this.end();
    }
    return [];
  }

  /** Returns whether the text may still be a repetition, or become a longer one. */
  #compare(character: string, end: number): boolean {
    const count = this.#count;
    this.#starts = this.#starts.filter((start) => this.#shown[start + count] === character);
    this.#count += 1;
    const last = this.#starts.at(-1);
    if (last === undefined) return false;
    const isAtEnd = last + this.#count === this.#shown.length;
    if (isAtEnd && (last === 0 || this.#count >= LEAST)) this.#repeated = end;
    return true;
  }

  #say(delta: string): ContentPart[] {
    if (delta === '' || this.#id === undefined) return [];
    const start = this.#start === undefined ? [] : [this.#start];
    this.#start = undefined;
    return [...start, { type: 'text-delta', id: this.#id, delta }];
  }
}

import { type Line, lineOf } from './line-editor.js';

const KEPT = 200;

/** What was sent before, for the arrow keys; what is being written waits at its end. */
export class InputHistory {
  readonly #entries: string[] = [];
  #at = 0;
  #draft = '';

  /** What was sent, the newest first. */
  get newestFirst(): readonly string[] {
    return this.#entries.toReversed();
  }

  add(text: string): void {
    if (text !== '' && text !== this.#entries.at(-1)) this.#entries.push(text);
    if (this.#entries.length > KEPT) this.#entries.shift();
    this.#at = this.#entries.length;
    this.#draft = '';
  }

  older(line: Line): Line {
    if (this.#at === 0) return line;
    if (this.#at === this.#entries.length) this.#draft = line.text;
    this.#at -= 1;
    return lineOf(this.#entries[this.#at] ?? '');
  }

  newer(line: Line): Line {
    if (this.#at === this.#entries.length) return line;
    this.#at += 1;
    return lineOf(this.#entries[this.#at] ?? this.#draft);
  }
}

/** A piece of a text and what takes its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A text with `\n` only, that knows where `\r\n` was. */
export class LineEnds {
  readonly text: string;
  readonly #original: string;
  /** In `text`, the places of the `\n` that were `\r\n`. */
  readonly #crlf: readonly number[];
  readonly #isMostlyCrlf: boolean;

  constructor(original: string) {
    this.#original = original;
    this.text = toLf(original);
    const crlf: number[] = [];
    for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
      crlf.push(at - crlf.length);
    this.#crlf = crlf;
    this.#isMostlyCrlf = isMostlyCrlf(original);
  }

  /** Replaces places of `text` in the original. They follow one another and do not overlap. */
  replace(replacements: readonly Replacement[]): string {
    let result = '';
    let from = 0;
    for (const { start, end, text } of replacements) {
      const [first, behind] = [this.#originalPlace(start), this.#originalPlace(end)];
      const old = this.#original.slice(first, behind);
      result += this.#original.slice(from, first) + this.#withEnds(text, old);
      from = behind;
    }
    return result + this.#original.slice(from);
  }

  /** As the replaced lines end, or else as most of the file's do. */
  #withEnds(replacement: string, old: string): string {
    const isCrlf = old.includes('\n') ? isMostlyCrlf(old) : this.#isMostlyCrlf;
    return isCrlf ? replacement.replaceAll('\n', '\r\n') : replacement;
  }

  #originalPlace(at: number): number {
    let low = 0;
    let high = this.#crlf.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#crlf[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  }
}

function isMostlyCrlf(text: string): boolean {
  return (text.split('\r\n').length - 1) * 2 > text.split('\n').length - 1;
}

/** How many pieces are kept before they are joined. */
const PIECES = 256;

/**
 * A text that comes in small pieces. With `+=` the engine keeps each of them, and a node for it, for as long as the text:
 * more than the text itself.
 */
export class GrowingText {
  /** Those that were joined, and behind them those that wait for it. */
  #pieces: string[] = [];
  #joined = 0;

  add(piece: string): void {
    if (this.#pieces.push(piece) - this.#joined < PIECES) return;
    const waiting = this.#pieces.splice(this.#joined);
    this.#joined = this.#pieces.push(waiting.join(''));
  }

  /**
   * What a complete text adds to what was streamed of it: the missing rest or nothing; `undefined` when it differs (then
   * what was streamed stands). Costs no more than the complete text is long: a server may repeat a short one for ever.
   */
  restOf(complete: string): string | undefined {
    let at = 0;
    for (const piece of this.#pieces) {
      if (at + piece.length > complete.length) return piece.startsWith(complete.slice(at)) ? '' : undefined;
      if (!complete.startsWith(piece, at)) return undefined;
      at += piece.length;
    }
    return complete.slice(at);
  }

  toString(): string {
    const whole = this.#pieces.join('');
    this.#pieces = [whole];
    this.#joined = 1;
    return whole;
  }
}

/** The texts of an item by their index in it, in the order they began. */
export class GrowingTexts {
  readonly #texts = new Map<number, GrowingText>();

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  add(index: number, piece: string): void {
    const known = this.#texts.get(index);
    if (known !== undefined) return known.add(piece);
    const text = new GrowingText();
    text.add(piece);
    this.#texts.set(index, text);
  }

  /** As `GrowingText.restOf`. */
  restOf(index: number, complete: string): string | undefined {
    const text = this.#texts.get(index);
    return text === undefined ? complete : text.restOf(complete);
  }

  all(): string[] {
    return [...this.#texts.values()].map(String);
  }

  inOrder(): string[] {
    return [...this.#texts].toSorted(([a], [b]) => a - b).map(([, text]) => text.toString());
  }
}

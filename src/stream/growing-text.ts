/** How many pieces are kept before they are joined. */
const PIECES = 256;

/**
 * A text that comes in small pieces. With `+=` the engine keeps each of them, and a node for it, for as long as the text:
 * more than the text itself.
 */
export class GrowingText {
  #joined = '';
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) >= PIECES) this.#join();
  }

  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.join('');
    this.#pieces = [];
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

  at(index: number): string {
    return this.#texts.get(index)?.toString() ?? '';
  }

  all(): string[] {
    return [...this.#texts.values()].map(String);
  }

  inOrder(): string[] {
    return [...this.#texts].toSorted(([a], [b]) => a - b).map(([, text]) => text.toString());
  }
}

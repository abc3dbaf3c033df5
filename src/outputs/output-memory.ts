import type { OutputStore } from './output-store.js';

/** Characters that are kept in memory, of all conversations together. */
const MAX_CHARS = 32_000_000;

/** Keeps outputs in memory. Forgets the least recently used one first. */
export class OutputMemory implements OutputStore {
  readonly #texts = new Map<string, string>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number = MAX_CHARS) {
    this.#maxChars = maxChars;
  }

  /** @throws Error a text that exceeds the limit of all together */
  put(id: string, text: string): void {
    this.#drop(id);
    if (sizeOf(text) > this.#maxChars) throw new Error(`it is longer than ${this.#maxChars} characters`);
    this.#texts.set(id, text);
    this.#chars += sizeOf(text);
    for (const oldest of this.#texts.keys()) {
      if (this.#chars <= this.#maxChars) return;
      this.#drop(oldest);
    }
  }

  get(id: string): string | undefined {
    const text = this.#texts.get(id);
    if (text !== undefined) this.put(id, text);
    return text;
  }

  #drop(id: string): void {
    const text = this.#texts.get(id);
    if (text === undefined) return;
    this.#chars -= sizeOf(text);
    this.#texts.delete(id);
  }
}

/** The size of an entry in addition to its text, in characters. */
const ENTRY_CHARS = 200;

function sizeOf({ length }: string): number {
  return length + ENTRY_CHARS;
}

import type { OutputStore } from './output-store.js';

/** Characters that are kept in memory, of all conversations together. */
const MAX_CHARS = 32_000_000;

/** Keeps outputs in memory. The one that was used longest ago goes first. */
export class OutputMemory implements OutputStore {
  readonly #texts = new Map<string, string>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number = MAX_CHARS) {
    this.#maxChars = maxChars;
  }

  put(id: string, text: string): void {
    this.#drop(id);
    this.#texts.set(id, text);
    this.#chars += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#chars <= this.#maxChars || oldest === id) return;
      this.#drop(oldest);
    }
  }

  get(id: string): string | undefined {
    const text = this.#texts.get(id);
    if (text !== undefined) this.put(id, text);
    return text;
  }

  #drop(id: string): void {
    this.#chars -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
  }
}

import type { ChatChunk } from '../types.js';
import type { Piece, ShownChunk } from './record-in-pieces.js';
import { isShownOnceSaved } from './save-points.js';

/**
 * Shows the chunks of a turn in their order: at once, or, if they tell of something that has to be on disk by then, when they
 * come out of the record. No chunk is shown before one that waits.
 */
export class ShownInOrder {
  readonly #show: (chunk: ChatChunk) => void;
  /** Pieces of the record, whose chunks were shown as they came. */
  readonly #shown = new WeakSet<ChatChunk>();
  /** Of the others: of how many chunks they are. */
  readonly #held = new WeakMap<ChatChunk, number>();
  /** Chunks that wait for the record. */
  #waiting = 0;

  constructor(show: (chunk: ChatChunk) => void) {
    this.#show = show;
  }

  /** Before it goes into the record. */
  now(chunk: ChatChunk): ChatChunk {
    this.#show(chunk);
    this.#shown.add(chunk);
    return chunk;
  }

  nowOrLater(chunk: ChatChunk): ShownChunk {
    const isShown = this.#waiting === 0 && !isShownOnceSaved(chunk);
    if (isShown) this.#show(chunk);
    else this.#waiting += 1;
    return { chunk, isShown };
  }

  /** What goes into the record. */
  note({ chunk, isShown, chunks }: Piece): void {
    if (isShown) this.#shown.add(chunk);
    else this.#held.set(chunk, chunks);
  }

  /** What has come out of the record. */
  recorded(chunk: ChatChunk): void {
    if (this.#shown.has(chunk)) return;
    this.#waiting -= this.#held.get(chunk) ?? 0;
    this.#show(chunk);
  }
}

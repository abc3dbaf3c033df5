import { type AbortLike, onceAborted } from '../../util/abort.js';
import type { Connection } from './connection.js';

/** The opening of a connection, and the calls that wait for it. It ends when the last of them is aborted. */
export class Attempt {
  isOver = false;
  readonly #onEnd: () => void;
  readonly #waiting = new Map<AbortLike, () => void>();
  #connection: Connection | undefined;

  /** `onEnd`: called at any end. */
  constructor(onEnd: () => void = () => {}) {
    this.#onEnd = onEnd;
  }

  join(signal: AbortLike): void {
    if (this.isOver || this.#waiting.has(signal)) return;
    // Before the listener: it may be called at once.
    this.#waiting.set(signal, () => {});
    const release = onceAborted(signal, () => this.#leave(signal));
    if (this.#waiting.has(signal)) this.#waiting.set(signal, release);
  }

  /** Waits until the connection is open. Rejects if it cannot be opened, or if the caller stops waiting. */
  async opened(connection: Connection): Promise<void> {
    this.#connection = connection;
    await connection.opened;
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const release of this.#waiting.values()) release();
    this.#waiting.clear();
    this.#onEnd();
  }

  #leave(signal: AbortLike): void {
    this.#waiting.delete(signal);
    if (this.#waiting.size > 0) return;
    this.end();
    this.#connection?.giveUp();
  }
}

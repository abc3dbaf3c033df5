import type { AbortLike } from '../util/abort.js';

/** Emits a batch. Await what it returns before making the next one. */
export type Emit<T> = (batch: T) => Promise<void> | undefined;

/** The most parts in one step, because a body may be one chunk, and the withheld parts one batch. */
export const SLICE = 256;

/** Emits in slices, because a stream's queue takes longer for each part the more it has. */
export async function emitSlices<T>(emit: Emit<readonly T[]>, parts: readonly T[], signal: AbortLike): Promise<void> {
  for (let at = 0; at < parts.length && !signal.aborted; at += SLICE) await emit(parts.slice(at, at + SLICE));
}

export interface PartSink<T> {
  /** Whether the reader wants more now. */
  take(batch: T): boolean;
  end(): void;
}

/**
 * Produces batches only while a consumer is pulling. After an abort `run` continues without a consumer, so that it can
 * clean up. `run` has the asynchronous context of the code that creates this, not of the reading code. Any code may
 * call a stream's `pull`, but tools must see the `AsyncLocalStorage` of their call.
 */
export class Pump<T> {
  #isAborted: boolean;
  #isOver = false;
  /** The reader that waits for a batch. */
  #sink: PartSink<T> | undefined;
  #satisfied: () => void = () => {};
  #failed: (error: unknown) => void = () => {};
  #demand: Promise<void> | undefined;
  #wake: () => void = () => {};

  constructor(run: (emit: Emit<T>) => Promise<void>, signal: AbortLike) {
    this.#isAborted = signal.aborted;
    const onAbort = (): void => {
      this.#isAborted = true;
      this.#wake();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    void this.#run(run);
  }

  /** Hands over batches until the sink wants no more for now. */
  drainTo(sink: PartSink<T>): Promise<void> {
    if (this.#sink !== undefined) return Promise.reject(new Error('One read at a time.'));
    if (this.#isOver) return endOf(sink);
    return new Promise((resolve, reject) => {
      this.#sink = sink;
      this.#satisfied = resolve;
      this.#failed = reject;
      this.#wake();
    });
  }

  /** Reports through `drainTo`, and ends with the call. */
  async #run(run: (emit: Emit<T>) => Promise<void>): Promise<void> {
    await this.#demanded();
    try {
      await run(this.#emit);
      this.#isOver = true;
      this.#sink?.end();
      this.#satisfied();
    } catch (error) {
      this.#isOver = true;
      this.#failed(error);
    }
    this.#sink = undefined;
  }

  readonly #emit = (batch: T): Promise<void> | undefined => {
    // An aborted stream just ends.
    if (this.#isAborted) return undefined;
    if (this.#sink === undefined) return this.#demanded()?.then(() => this.#emit(batch));
    if (this.#sink.take(batch)) return undefined;
    this.#sink = undefined;
    this.#satisfied();
    return this.#demanded();
  };

  #demanded(): Promise<void> | undefined {
    if (this.#sink !== undefined || this.#isAborted) return undefined;
    this.#demand ??= new Promise((resolve) => {
      this.#wake = () => {
        this.#demand = undefined;
        resolve();
      };
    });
    return this.#demand;
  }
}

async function endOf(sink: PartSink<unknown>): Promise<void> {
  sink.end();
}

/** Values pushed by many, pulled by one, in order. */
export class AsyncQueue<T> {
  readonly #values: T[] = [];
  /** The place of the next value, because removing the first moves all others of an array. */
  #at = 0;
  hasEnded = false;
  #wake: () => void = () => {};

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  /** Ends the queue; earlier values are still delivered. */
  end(): void {
    this.hasEnded = true;
    this.#wake();
  }

  /** The next value, or `undefined` once the queue has ended and is empty. */
  async next(): Promise<T | undefined> {
    while (this.#at === this.#values.length && !this.hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#values[this.#at];
    this.#at += 1;
    if (this.#at < this.#values.length) return value;
    this.#values.length = 0;
    this.#at = 0;
    return value;
  }
}

export interface ContextQueue<T> {
  push(value: T): void;
  /** Ends the queue after its values were delivered. */
  end(): Promise<void>;
}

/**
 * Hands values to a callback that runs in the asynchronous context in which the queue was created, not in that of a push:
 * a shared connection's events would otherwise reach every caller in the context of the first one (AsyncLocalStorage).
 * Works without Node's AsyncResource, because code after an `await` keeps the context it was awaited in.
 */
export function createContextQueue<T extends object>(deliver: (value: T) => void): ContextQueue<T> {
  const queue = new AsyncQueue<T>();
  const pump = async (): Promise<void> => {
    for (let value = await queue.next(); value !== undefined; value = await queue.next()) deliver(value);
  };
  const done = pump();
  return {
    push: (value) => {
      if (!queue.hasEnded) queue.push(value);
    },
    end: () => {
      queue.end();
      return done;
    },
  };
}

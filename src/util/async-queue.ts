/** Values pushed by many, pulled by one, in order. */
export interface AsyncQueue<T> {
  push(value: T): void;
  /** No more values will come; those pushed before are still handed out. */
  end(): void;
  /** The next value, or `undefined` once the queue has ended and is empty. */
  next(): Promise<T | undefined>;
}

export function createAsyncQueue<T>(): AsyncQueue<T> {
  const values: T[] = [];
  let ended = false;
  let wake: (() => void) | undefined;
  const nudge = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(value) {
      values.push(value);
      nudge();
    },
    end() {
      ended = true;
      nudge();
    },
    async next() {
      const idle = (): boolean => values.length === 0 && !ended;
      while (idle()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return values.shift();
    },
  };
}

/**
 * Hands values to a callback that runs in the asynchronous context of whoever created the queue, not of whoever pushes:
 * a shared connection's events would otherwise reach every caller in the context of the first one (AsyncLocalStorage).
 * Works without Node's AsyncResource, because code after an `await` keeps the context it was awaited in.
 */
export interface ContextQueue<T> {
  push(value: T): void;
  /** Ends the queue after what is in it was delivered. */
  end(): Promise<void>;
}

export function createContextQueue<T>(deliver: (value: T) => void): ContextQueue<T> {
  const waiting: T[] = [];
  let ended = false;
  let wake: () => void = () => {};

  const pump = async (): Promise<void> => {
    for (;;) {
      for (const value of waiting.splice(0)) deliver(value);
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const done = pump();

  return {
    push(value) {
      if (ended) return;
      waiting.push(value);
      wake();
    },
    end() {
      ended = true;
      wake();
      return done;
    },
  };
}

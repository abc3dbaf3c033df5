import { abortError } from '../util/abort.js';

/** Batches handed out one at a time, on demand. */
export interface Pump<T> {
  /** The next batch, or `undefined` when there are no more. */
  next(): Promise<T | undefined>;
}

/**
 * Runs a generator in the asynchronous context of whoever calls this, not of whoever reads: a stream's `pull` comes from
 * anywhere, and tools have to see the `AsyncLocalStorage` of the call that caused them. Nothing is produced before it
 * is asked for; only an abort lets the generator run to its end unasked, since a reader that went away asks no more.
 */
export function createPump<T>(generator: AsyncGenerator<T, void, undefined>, signal: AbortSignal): Pump<T> {
  let wanted: ((value: T | undefined) => void) | undefined;
  let failed: ((error: unknown) => void) | undefined;
  let wake: (() => void) | undefined;
  let over = false;
  /** A batch was made after an abort that nobody had asked for: what follows it would be a stream with a hole. */
  let isCut = false;

  const demand = (): Promise<void> =>
    wanted === undefined && !signal.aborted
      ? new Promise<void>((resolve) => {
          wake = resolve;
        })
      : Promise.resolve();
  const settle = (deliver: () => void): void => {
    deliver();
    wanted = undefined;
    failed = undefined;
  };
  const run = async (): Promise<void> => {
    while (!over) {
      await demand();
      try {
        const next = await generator.next();
        over = next.done === true;
        isCut ||= wanted === undefined;
        settle(() => wanted?.(next.done === true || isCut ? undefined : next.value));
      } catch (error) {
        over = true;
        settle(() => failed?.(error));
      }
    }
  };
  signal.addEventListener('abort', () => wake?.(), { once: true });
  // It reports through `next`, and ends with the call.
  void run();
  return {
    next() {
      if (over || isCut) return Promise.resolve(undefined);
      if (wanted !== undefined)
        return Promise.reject(signal.aborted ? abortError(signal) : new Error('One read at a time.'));
      return new Promise<T | undefined>((resolve, reject) => {
        wanted = resolve;
        failed = reject;
        wake?.();
      });
    },
  };
}

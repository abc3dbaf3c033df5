import { isLimitReached } from '../../errors/limit-reached.js';
import { delay } from '../../util/timers.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export interface AttemptOptions {
  /** How often to try again after a failure; 0 tries once. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  readonly onRetry: (attempt: number, error: unknown, delayMs: number) => void;
}

/** Runs something until it succeeds or the retries are used up; the last failure counts. */
export async function attempt<T>(run: () => Promise<T>, options: AttemptOptions): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (options.signal.aborted || tried > options.maxRetries || isLimitReached(error)) throw error;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tried - 1), LONGEST_PAUSE_MS);
      options.onRetry(tried, error, pause);
      await delay(pause, options.signal);
    }
  }
}

import { abortError } from './abort.js';
import type { AbortLike } from './cancellation.js';
import { timerMs } from './timer-ms.js';

/** Waits, unless the signal fires first; then rejects with its reason. Leaves no timer and no listener behind. */
export function delay(ms: number, signal: AbortLike): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortError(signal));
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(abortError(signal));
    };
    const onTime = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    // To `timerMs` nothing means no limit; here it means no wait.
    const timer = setTimeout(onTime, ms > 0 ? timerMs(ms) : 0);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

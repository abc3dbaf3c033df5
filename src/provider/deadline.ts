import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { timerMs } from '../util/timer-ms.js';

export interface Deadline {
  /** Fires with a `timeout` error; absent where there is no limit. */
  readonly signal: AbortSignal | undefined;
  release(): void;
}

/** The end of a whole call. Not retryable: a call that is begun again would have the same time once more. */
export function createDeadline(totalMs: number | undefined): Deadline {
  if (totalMs === undefined || totalMs === 0 || totalMs === Number.POSITIVE_INFINITY)
    return { signal: undefined, release: () => {} };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(exceeded(totalMs)), timerMs(totalMs));
  return { signal: controller.signal, release: () => clearTimeout(timer) };
}

function exceeded(totalMs: number): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'timeout',
    message: `The call took longer than ${totalMs} ms in all (timeouts.totalMs).`,
  });
}

import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { timerMs } from '../util/timers.js';

/**
 * The end of a whole call: tells a `timeout` error, unless it is released before. Not retryable: a call that is begun again
 * would have the same time once more.
 */
export function startDeadline(totalMs: number | undefined, tell: (error: Error) => void): () => void {
  if (totalMs === undefined || totalMs === 0 || totalMs === Number.POSITIVE_INFINITY) return () => {};
  const timer = setTimeout(() => tell(exceeded(totalMs)), timerMs(totalMs));
  return () => clearTimeout(timer);
}

function exceeded(totalMs: number): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'timeout',
    message: `The call took longer than ${totalMs} ms in all (timeouts.totalMs).`,
  });
}

import type { InterruptReason } from '../types/events.js';

/** Of the reason of a signal that was aborted. */
export function interruptReasonOf(reason: unknown): InterruptReason {
  const name = typeof reason === 'object' && reason !== null && 'name' in reason ? reason.name : undefined;
  if (name === 'TimeoutError') return 'timeout';
  return reason instanceof Error && name !== 'AbortError' ? 'error' : 'user';
}

import { ResponsesLoopError } from './responses-loop-error.js';

/** What exceeded a limit, and the setting that raises it; never retryable, since the same would exceed it again. */
export function limitReached(what: string, setting: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'limit', message: limitMessage(what, setting) });
}

/** "The answer has more than 64000000 bytes (limit: limits.messageBytes)." */
export function limitMessage(what: string, setting: string): string {
  return `${what} (limit: ${setting}).`;
}

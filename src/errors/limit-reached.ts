import { ApiError, type ApiErrorOptions } from './api-error.js';
import { ResponsesLoopError } from './responses-loop-error.js';

/** What exceeded a limit, and the setting that raises it; never retryable, since the same would exceed it again. */
export function limitReached(what: string, setting: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'limit', message: limitMessage(what, setting) });
}

/** Whether something was given up because of a limit: trying again would come to the same. */
export function isLimitReached(error: unknown): boolean {
  return ResponsesLoopError.isInstance(error) && error.code === 'limit';
}

/** "The answer has more than 64000000 bytes (limit: limits.messageBytes)." */
export function limitMessage(what: string, setting: string): string {
  return `${what} (limit: ${setting}).`;
}

/** The same of an exchange with a server: `facts` say which. */
export function exchangeLimitReached(
  facts: Omit<ApiErrorOptions, 'message' | 'isRetryable'>,
  what: string,
  setting: string,
): ApiError {
  const message = limitMessage(what, setting);
  return new ApiError({
    ...facts,
    code: 'limit',
    message,
    isRetryable: false,
    mayFailOver: false,
    isReplaySafe: false,
  });
}

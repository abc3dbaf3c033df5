import type { ReachedLimit } from '../core/limits.js';
import { ApiError, type ApiErrorOptions } from './api-error.js';
import { ResponsesLoopError } from './responses-loop-error.js';

/** What exceeded a limit, and the setting that raises it; never retryable, since the same would exceed it again. */
export function limitReached(what: string, limit: ReachedLimit): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'limit', message: limitMessage(what, limit.name), limit });
}

/** The limit that an error is about, for one that says more or goes elsewhere. */
export function limitOf(error: unknown): { readonly limit?: ReachedLimit } {
  const limit = ResponsesLoopError.isInstance(error) ? error.limit : undefined;
  return limit === undefined ? {} : { limit };
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
  limit: ReachedLimit,
): ApiError {
  const message = limitMessage(what, limit.name);
  return new ApiError({
    ...facts,
    code: 'limit',
    message,
    limit,
    isRetryable: false,
    mayFailOver: false,
    isReplaySafe: false,
  });
}

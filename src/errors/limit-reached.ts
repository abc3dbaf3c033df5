import { clean, type CleanText, ownWords } from '../core/clean-text.js';
import type { ReachedLimit } from '../core/limits.js';
import { ApiError, type ApiErrorOptions } from './api-error.js';
import { type CleanFacts, ResponsesLoopError } from './responses-loop-error.js';

/** Names the excess and the setting that raises the limit. Never retryable, because a retry would exceed it again. */
export function limitReached(what: CleanText, limit: ReachedLimit): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'limit', message: limitMessage(what, limit.name), limit });
}

/** Returns the limit of an error, for an error with more facts. */
export function limitOf(error: unknown): { readonly limit?: ReachedLimit } {
  const limit = ResponsesLoopError.isInstance(error) ? error.limit : undefined;
  return limit === undefined ? {} : { limit };
}

/** True if a limit ended it, so that another attempt would end the same way. */
export function isLimitReached(error: unknown): boolean {
  return ResponsesLoopError.isInstance(error) && error.code === 'limit';
}

/** "The answer has more than 64000000 bytes (limit: limits.messageBytes)." */
function limitMessage(what: CleanText, setting: string): CleanText {
  return clean`${what} (limit: ${ownWords(setting)}).`;
}

/** The same for an exchange with a server, with its `facts`. */
export function exchangeLimitReached(
  facts: Omit<CleanFacts<ApiErrorOptions>, 'message' | 'isRetryable'>,
  what: CleanText,
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

import type { CarriedCall } from '../core/carrier.js';
import { ApiError } from './api-error.js';
import { limitOf } from './limit-reached.js';
import { ResponsesLoopError } from './responses-loop-error.js';

/** The error of a call in which tools have already run: the same facts, but never to be retried. */
export function afterTools(error: Error, completedCalls: readonly CarriedCall[]): Error {
  if (completedCalls.length === 0) return error;
  const facts = ApiError.isInstance(error) ? error.facts : { message: error.message, url: '' };
  const code = ResponsesLoopError.isInstance(error) ? { code: error.code, ...limitOf(error) } : {};
  return new ApiError({ ...facts, ...code, isRetryable: false, cause: error, completedCalls });
}

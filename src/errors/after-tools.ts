import type { CarriedCall } from '../core/carrier.js';
import { ApiError } from './api-error.js';

/** The error of a call in which tools have already run: the same facts, but never to be retried. */
export function afterTools(error: Error, completedCalls: readonly CarriedCall[]): Error {
  if (completedCalls.length === 0) return error;
  const known = ApiError.isInstance(error) ? error : undefined;
  return new ApiError({
    message: error.message,
    code: known?.code ?? 'api-error',
    url: known?.url ?? '',
    isRetryable: false,
    cause: error,
    completedCalls,
    ...(known?.statusCode === undefined ? {} : { statusCode: known.statusCode }),
    ...(known?.responseHeaders === undefined ? {} : { responseHeaders: known.responseHeaders }),
    ...(known?.responseBody === undefined ? {} : { responseBody: known.responseBody }),
    ...(known?.serverCode === undefined ? {} : { serverCode: known.serverCode }),
    ...(known?.round === undefined ? {} : { round: known.round }),
    requestBody: known?.requestBodyValues,
  });
}

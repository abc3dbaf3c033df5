import { ApiError } from '../../errors/api-error.js';
import { redactBody, redactHeaders, redactUrl } from '../../observe/redact.js';
import { toApiError } from '../../stream/decode-failure.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { asNumber, asRecord, asString } from '../../util/guards.js';
import { classifyFailure } from '../../errors/classify-failure.js';

/**
 * What the stock provider threw or told, as an error of ours: it names the round and knows who may try again. The thrown
 * one is no cause of it, since its request holds sealed reasoning.
 */
export function toStockError(failure: unknown, round: number): Error {
  if (ApiError.isInstance(failure)) return failure;
  if (!(failure instanceof Error)) return toApiError(failure ?? {}, { url: 'the stock provider', round });
  // Every AI SDK version's error of a request has these members; others (no key, a prompt it cannot send) stay as they are.
  const facts: object = failure;
  return 'isRetryable' in facts ? ofRequest(failure, facts, round) : failure;
}

type Facts = Readonly<Record<string, unknown>>;

function ofRequest(failure: Error, facts: Facts, round: number): ApiError {
  const statusCode = asNumber(facts['statusCode']);
  const { mayFailOver, isReplaySafe } = classifyFailure(defined({ statusCode }));
  return new ApiError({
    message: errorText(failure),
    url: redactUrl(asString(facts['url']) ?? ''),
    round,
    isRetryable: facts['isRetryable'] === true,
    mayFailOver,
    isReplaySafe: statusCode !== undefined && statusCode >= 400 && isReplaySafe,
    requestBody: redactBody(facts['requestBodyValues']),
    ...defined({
      statusCode,
      responseHeaders: headersOf(facts['responseHeaders']),
      responseBody: asString(facts['responseBody']),
    }),
  });
}

/** The stream of an answer broke. */
export function brokenOff(failure: unknown, round: number): ApiError {
  return new ApiError({
    code: 'stream-reset',
    message: `The answer of the stock provider broke off: ${errorText(failure)}`,
    url: '',
    round,
    isRetryable: true,
  });
}

export function truncated(round: number): ApiError {
  return new ApiError({
    code: 'stream-truncated',
    message: 'The answer of the stock provider ended before the response did.',
    url: '',
    round,
    isRetryable: true,
  });
}

function headersOf(headers: unknown): Record<string, string> | undefined {
  const record = asRecord(headers);
  // The AI SDK types response headers as texts.
  return record === undefined ? undefined : redactHeaders(record as Record<string, string>);
}

import { clean, type CleanError, type CleanText } from '../core/clean-text.js';
import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { classifyFailure } from '../errors/classify-failure.js';
import { secretsInText } from '../observe/secret-names.js';
import { redactError } from '../observe/redact-error.js';
import { redactBody, redactHeaders, Redactor, redactUrl } from '../observe/redact.js';
import { decodeFailure, failureData, type FailureContext, toApiError } from '../stream/decode-failure.js';
import { defined } from '../util/defined.js';
import { errorText } from '../util/error-text.js';
import { asNumber, asRecord, asString } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import { toJsonText } from '../util/to-json.js';

export interface StockErrorPlace {
  readonly round: number;
  /** Removes secrets of the request. */
  readonly redactor: Redactor;
}

/**
 * Converts an error of the stock provider to ours, with the round and whether a retry may help. The original is not its
 * cause, because its request has sealed reasoning. The provider quotes whole answers, and its key is not known here, so
 * secrets are found by their form too. Other errors without secrets stay themselves, because apps check their class.
 */
export function toStockError(failure: unknown, { round, redactor: known }: StockErrorPlace): CleanError {
  const texts = failure instanceof Error ? textsOf(failure, MAX_DEPTH) : [toJsonText(failure) ?? ''];
  const looks = secretsInText(texts.join('\n'));
  const redactor = known.and(() => looks);
  const reported = typeof failure === 'string' ? { message: failure } : (failure ?? {});
  if (!(failure instanceof Error)) return toApiError(reported, placeOf({ round, redactor }));
  if (failure.name === 'AI_LoadAPIKeyError') return withoutKey(failure, { round, redactor });
  // Request errors of every AI SDK version have these members. Others (a prompt it cannot send) stay unchanged.
  const facts: object = failure;
  if (!ApiError.isInstance(failure) && 'isRetryable' in facts) return ofRequest(failure, facts, { round, redactor });
  const hasNone: unknown = redactor.value(texts) === (texts as readonly string[]);
  return hasNone === true ? (failure as CleanError) : redactError(failure, redactor);
}

/** The stock provider cannot use the primary's key. */
function withoutKey(failure: Error, { round, redactor }: StockErrorPlace): ResponsesLoopError {
  const message = clean`The stock provider has no key: ${redactor.text(failure.message)}`;
  return new ResponsesLoopError({ code: 'missing-api-key', message, round, cause: redactError(failure, redactor) });
}

type Facts = Readonly<Record<string, unknown>>;

function ofRequest(failure: Error, facts: Facts, { round, redactor }: StockErrorPlace): ApiError {
  const statusCode = asNumber(facts['statusCode']);
  const responseBody = asString(facts['responseBody']);
  const { mayFailOver, isReplaySafe } = classifyFailure(defined({ statusCode }));
  const said = defined({
    responseHeaders: headersOf(facts['responseHeaders']),
    responseBody,
    data: failureData(facts['data']),
    named: decodeFailure(parseJson(responseBody ?? '')).named,
  });
  return new ApiError({
    ...redactor.value(said),
    message: redactor.text(errorText(failure)),
    url: redactor.long.text(redactUrl(asString(facts['url']) ?? '')),
    round,
    isRetryable: facts['isRetryable'] === true,
    mayFailOver,
    isReplaySafe: statusCode !== undefined && statusCode >= 400 && isReplaySafe,
    requestBody: redactor.long.value(redactBody(facts['requestBodyValues'])),
    ...defined({ statusCode }),
  });
}

/** Returns what its errors have in common. */
export function placeOf({ round, redactor }: StockErrorPlace): FailureContext {
  return { url: clean`the stock provider`, round, redactor };
}

export function brokenOff(failure: unknown, place: StockErrorPlace): CleanError {
  if (ApiError.isInstance(failure)) return failure;
  const text = errorText(failure);
  const looks = secretsInText(text);
  const reason = place.redactor.and(() => looks).text(text);
  const message = clean`The stock provider's answer broke off: ${reason}`;
  return withoutResponse('stream-reset', message, place.round);
}

export function truncated(round: number): ApiError {
  const message = clean`The stock provider's answer ended before it was complete.`;
  return withoutResponse('stream-truncated', message, round);
}

export function timedOut(what: CleanText, round: number): ApiError {
  return withoutResponse('timeout', clean`The stock provider ${what}.`, round);
}

/** Retryable, as without the fallback: the same call may succeed. */
function withoutResponse(code: ErrorCode, message: CleanText, round: number): ApiError {
  return new ApiError({ code, message, url: clean``, round, isRetryable: true });
}

/** Removes sealed reasoning from a text of the stock provider. */
export function hideSealed(text: string): CleanText {
  const found = secretsInText(text);
  return Redactor.of(() => found).text(text);
}

/** An error may have itself as a cause. */
const MAX_DEPTH = 8;

/** Texts of an error that a log would show. */
function textsOf(error: Error, depth: number): string[] {
  const { message, stack, cause } = error;
  const isNested = cause instanceof Error && depth > 0;
  const said = [message, stack, ...Object.values(error), isNested ? undefined : cause];
  const texts = said.map((value) => (typeof value === 'string' ? value : (toJsonText(value) ?? '')));
  return isNested ? [...texts, ...textsOf(cause, depth - 1)] : texts;
}

function headersOf(headers: unknown): Record<string, string> | undefined {
  const record = asRecord(headers);
  // The AI SDK types response headers as texts.
  return record === undefined ? undefined : redactHeaders(record as Record<string, string>);
}

import { ApiError } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { classifyFailure } from '../errors/classify-failure.js';
import { secretsInText } from '../observe/secret-names.js';
import { redactError } from '../observe/redact-error.js';
import { redactBody, redactHeaders, Redactor, redactUrl } from '../observe/redact.js';
import { decodeFailure, failureData, toApiError } from '../stream/decode-failure.js';
import { defined } from '../util/defined.js';
import { errorText } from '../util/error-text.js';
import { asNumber, asRecord, asString } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import { toJsonText } from '../util/to-json.js';

export interface StockErrorPlace {
  readonly round: number;
  /** Takes out secrets of the request. */
  readonly redactor: Redactor;
}

/**
 * Makes our error of what the stock provider threw or reported, with the round and whether a retry may help. The original is
 * not its cause, because its request has sealed reasoning.
 */
export function toStockError(failure: unknown, place: StockErrorPlace): Error {
  return withoutSecrets(translate(failure, place), place);
}

function translate(failure: unknown, place: StockErrorPlace): Error {
  const { round, redactor } = place;
  if (ApiError.isInstance(failure)) return failure;
  const reported = typeof failure === 'string' ? { message: failure } : (failure ?? {});
  if (!(failure instanceof Error))
    return toApiError(reported, { url: 'the stock provider', round, clean: (value) => redactor.value(value) });
  // Request errors of every AI SDK version have these members. Others (no key, a prompt it cannot send) stay as they are.
  const facts: object = failure;
  if (failure.name === 'AI_LoadAPIKeyError') return withoutKey(failure, round);
  return 'isRetryable' in facts ? ofRequest(failure, facts, place) : failure;
}

/** The stock provider cannot use the primary's key. */
function withoutKey(failure: Error, round: number): ResponsesLoopError {
  const message = `The stock provider has no key of its own: ${failure.message}`;
  return new ResponsesLoopError({ code: 'missing-api-key', message, round, cause: failure });
}

type Facts = Readonly<Record<string, unknown>>;

function ofRequest(failure: Error, facts: Facts, { round }: StockErrorPlace): ApiError {
  const statusCode = asNumber(facts['statusCode']);
  const responseBody = asString(facts['responseBody']);
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
      responseBody,
      data: failureData(facts['data']),
      named: decodeFailure(parseJson(responseBody ?? '')).named,
    }),
  });
}

export function brokenOff(failure: unknown, place: StockErrorPlace): Error {
  if (ApiError.isInstance(failure)) return failure;
  const reason = place.redactor.text(errorText(failure));
  const message = `The answer of the stock provider broke off: ${reason}`;
  return withoutSecrets(withoutResponse('stream-reset', message, place.round), place);
}

export function truncated(round: number): ApiError {
  const message = 'The answer of the stock provider ended before the response did.';
  return withoutResponse('stream-truncated', message, round);
}

export function timedOut(what: string, round: number): ApiError {
  return withoutResponse('timeout', `The stock provider ${what}.`, round);
}

/** Retryable, as without the fallback: the same call may succeed. */
function withoutResponse(code: ErrorCode, message: string, round: number): ApiError {
  return new ApiError({ code, message, url: '', round, isRetryable: true });
}

/** Takes sealed reasoning out of a text of the stock provider. */
export function hideSealed(text: string): string {
  const found = secretsInText(text);
  return Redactor.of(() => found).text(text);
}

/**
 * The stock provider quotes whole answers, and its key is not known here, so secrets are found by their form. An error without
 * secrets is returned itself, because apps check its class.
 */
function withoutSecrets(error: Error, { redactor }: StockErrorPlace): Error {
  const texts = textsOf(error, MAX_DEPTH);
  const looks = secretsInText(texts.join('\n'));
  const all = redactor.and(() => looks);
  return all.value(texts) === texts ? error : redactError(error, all);
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

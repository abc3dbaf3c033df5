import { ApiError } from '../errors/api-error.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';
import { redactSecrets, redactSecretsIn } from './redact.js';

/** Errors that have themselves as a cause exist. */
const MAX_DEPTH = 8;
/** Keys of local servers (`ollama`) are words that URLs and conversations have too. */
const MIN_KEY_CHARS = 8;

/**
 * The same error, or one like it where a secret could be seen in it: servers and platforms repeat what they were sent.
 * Of errors that are not ours only name, message, stack, code and causes remain: many a client hangs its whole request
 * on them.
 */
export function redactError(error: Error, secrets: readonly string[]): Error {
  return redact(error, { secrets, depth: 0 });
}

/** The same for what was thrown, which may be anything. */
export function redactThrown(thrown: unknown, secrets: readonly string[]): unknown {
  return thrown instanceof Error ? redactError(thrown, secrets) : thrown;
}

/** What is long enough not to be a word by chance. */
export function longSecrets(secrets: readonly string[]): string[] {
  return secrets.filter((secret) => secret.length >= MIN_KEY_CHARS);
}

interface Redaction {
  readonly secrets: readonly string[];
  readonly depth: number;
}

function redact(error: Error, redaction: Redaction): Error {
  if (ApiError.isInstance(error)) return redactApiError(error, redaction);
  if (ResponsesLoopError.isInstance(error)) return redactOwn(error, redaction);
  return redactForeign(error, redaction);
}

function redactApiError(error: ApiError, redaction: Redaction): ApiError {
  const { secrets } = redaction;
  const { message, responseBody, serverCode, responseHeaders, named, url, requestBody } = error.facts;
  const answer = { message, responseBody, serverCode, responseHeaders, named };
  const request = { url, requestBody };
  const cleanAnswer = redactSecretsIn(answer, secrets);
  const cleanRequest = redactSecretsIn(request, longSecrets(secrets));
  const cause = redactCause(error.cause, redaction);
  const isSame = cleanAnswer === answer && cleanRequest === request && cause === error.cause;
  if (isSame && isClean(error, secrets)) return error;
  const { cause: _cause, ...facts } = error.facts;
  return like(error, new ApiError({ ...facts, ...defined({ ...cleanAnswer, ...cleanRequest, cause }) }), secrets);
}

function redactOwn(error: ResponsesLoopError, redaction: Redaction): ResponsesLoopError {
  const { code, round } = error;
  const message = redactSecrets(error.message, redaction.secrets);
  const cause = redactCause(error.cause, redaction);
  if (message === error.message && cause === error.cause && isClean(error, redaction.secrets)) return error;
  const copy = new ResponsesLoopError({ code, message, cause, ...(round === undefined ? {} : { round }) });
  return like(error, copy, redaction.secrets);
}

function redactForeign(error: Error, redaction: Redaction): Error {
  const message = redactSecrets(error.message, redaction.secrets);
  const cause = redactCause(error.cause, redaction);
  const options = cause === undefined ? undefined : { cause };
  const copy =
    error instanceof AggregateError
      ? new AggregateError(
          error.errors.map((one: unknown) => redactCause(one, redaction)),
          message,
          options,
        )
      : new Error(message, options);
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') Object.assign(copy, { code: redactSecrets(code, redaction.secrets) });
  if (typeof code === 'number') Object.assign(copy, { code });
  define(copy, 'name', redactSecrets(error.name, redaction.secrets));
  return like(error, copy, redaction.secrets);
}

/** A cause may be anything; of an object that is no error only what it says is kept. */
function redactCause(cause: unknown, { secrets, depth }: Redaction): unknown {
  if (depth >= MAX_DEPTH) return undefined;
  if (cause instanceof Error) return redact(cause, { secrets, depth: depth + 1 });
  if (typeof cause === 'string') return redactSecrets(cause, secrets);
  if (typeof cause !== 'object' || cause === null) return typeof cause === 'function' ? undefined : cause;
  const { name, message, code } = cause as Readonly<Record<string, unknown>>;
  const said = defined({ name: asString(name), message: asString(message), code: asString(code) });
  return Object.keys(said).length === 0 ? undefined : redactSecretsIn(said, secrets);
}

/** The stack repeats the message. */
function isClean({ stack = '' }: Error, secrets: readonly string[]): boolean {
  return redactSecrets(stack, secrets) === stack;
}

function like<T extends Error>(error: Error, copy: T, secrets: readonly string[]): T {
  if (typeof error.stack === 'string') define(copy, 'stack', redactSecrets(error.stack, secrets));
  return copy;
}

/** As errors have it: there, but not listed. */
function define(error: Error, name: string, value: string): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false });
}

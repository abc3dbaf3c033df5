import { toError } from '../util/error-text.js';
import type { CleanError, CleanValue } from '../core/clean-text.js';
import { FailedFunction } from '../errors/failed-function.js';
import { ApiError, type ApiErrorOptions } from '../errors/api-error.js';
import {
  type CleanCause,
  type CleanFacts,
  type ErrorOptions,
  ResponsesLoopError,
} from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';
import type { Redactor } from './redactor.js';

/** Errors that have themselves as a cause exist. */
const MAX_DEPTH = 8;

/**
 * Returns the error, or a copy without visible secrets, because servers and platforms repeat requests. Of foreign
 * errors only name, message, stack, code and causes remain, because many clients attach their whole request.
 */
export function redactError(error: Error, redactor: Redactor): CleanError {
  return redact(error, { redactor, depth: 0 });
}

/** Returns a thrown value as an error that may be shown; one of ours as it is. */
export function toCleanError(thrown: unknown, redactor: Redactor): CleanError {
  return ResponsesLoopError.isInstance(thrown) ? thrown : redactError(toError(thrown), redactor);
}

/** The same for a cause, which may be any value; of an object that is no error, only its message is kept. */
export function cleanCause(cause: unknown, redactor: Redactor): CleanCause {
  return redactCause(cause, { redactor, depth: 0 });
}

/** The same for a thrown value, which may be any value. */
export function redactThrown(thrown: unknown, redactor: Redactor): unknown {
  if (typeof thrown === 'string') return redactor.text(thrown);
  if (thrown instanceof FailedFunction) {
    const { code, message, cause } = thrown;
    return new ResponsesLoopError({ code, message: redactor.text(message), cause: cleanCause(cause, redactor) });
  }
  return thrown instanceof Error ? redactError(thrown, redactor) : thrown;
}

interface Redaction {
  readonly redactor: Redactor;
  readonly depth: number;
}

function redact(error: Error, redaction: Redaction): CleanError {
  return ResponsesLoopError.isInstance(error) ? redactOwn(error, redaction) : redactForeign(error, redaction);
}

/** Members that may repeat a secret, and those of the request itself, in which only long secrets are removed. */
const SAID = ['message', 'responseBody', 'data', 'serverCode', 'responseHeaders', 'named'] as const;
const SENT = ['url', 'requestBody'] as const;

function redactOwn(error: ResponsesLoopError, redaction: Redaction): ResponsesLoopError {
  const { redactor } = redaction;
  const { code, message, round, limit } = error;
  const facts: Partial<ApiErrorOptions> = ApiError.isInstance(error)
    ? error.facts
    : { code, message, ...defined({ round, limit }) };
  const clean: Record<string, unknown> = { ...facts, cause: redactCause(error.cause, redaction) };
  for (const name of SAID) clean[name] = redactor.value(facts[name]);
  for (const name of SENT) clean[name] = redactor.long.value(facts[name]);
  const isSame = [...SAID, ...SENT].every((name) => clean[name] === facts[name]) && clean['cause'] === error.cause;
  if (isSame && isClean(error, redactor)) return error;
  // Its members are clean options.
  const options = defined(clean) as unknown as CleanFacts<ApiErrorOptions & ErrorOptions>;
  const copy = ApiError.isInstance(error) ? new ApiError(options) : new ResponsesLoopError(options);
  return like(error, copy, redactor);
}

function redactForeign(error: Error, redaction: Redaction): CleanError {
  const { redactor } = redaction;
  const message = redactor.text(error.message);
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
  if (typeof code === 'string') Object.assign(copy, { code: redactor.text(code) });
  if (typeof code === 'number') Object.assign(copy, { code });
  define(copy, 'name', redactor.text(error.name));
  // Its texts are those above.
  return like(error, copy, redactor) as CleanError;
}

function redactCause(cause: unknown, { redactor, depth }: Redaction): CleanCause {
  if (depth >= MAX_DEPTH) return undefined;
  if (cause instanceof Error) return redact(cause, { redactor, depth: depth + 1 });
  if (typeof cause === 'string') return redactor.text(cause);
  if (typeof cause === 'number' || typeof cause === 'boolean' || cause === null) return cause;
  if (typeof cause !== 'object') return undefined;
  const { name, message, code } = cause as Readonly<Record<string, unknown>>;
  const said = defined({ name: asString(name), message: asString(message), code: asString(code) });
  return Object.keys(said).length === 0 ? undefined : (redactor.value(said) as CleanValue);
}

/** The stack repeats the message. */
function isClean(error: Error, redactor: Redactor): boolean {
  return cleanStack(error, redactor) === error.stack;
}

function like<T extends Error>(error: Error, copy: T, redactor: Redactor): T {
  const stack = cleanStack(error, redactor);
  if (stack !== undefined) define(copy, 'stack', stack);
  return copy;
}

function cleanStack({ stack }: Error, redactor: Redactor): string | undefined {
  return typeof stack === 'string' ? redactor.text(stack) : undefined;
}

/** Not enumerable, as in errors. */
function define(error: Error, name: string, value: string): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true, enumerable: false });
}

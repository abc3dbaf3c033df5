import type { FailureRecord } from '../core/journal.js';
import { ApiError, type ApiErrorOptions } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { toPlain } from './plain.js';

/** Facts of an `ApiError` that are kept; headers and bodies are not. */
const KEPT: ReadonlySet<string> = new Set<keyof ApiErrorOptions>([
  'url',
  'isRetryable',
  'mayFailOver',
  'isReplaySafe',
  'statusCode',
  'data',
  'serverCode',
  'named',
  'round',
  'limit',
]);

/** Errors are no JSON. */
export function toFailure(error: Error): FailureRecord {
  const { name, message } = error;
  if (!ResponsesLoopError.isInstance(error)) return { name, message };
  const { code, round, limit } = error;
  const facts = ApiError.isInstance(error) ? error.facts : { round, limit };
  const kept = Object.entries(facts).filter(([fact]) => KEPT.has(fact));
  return { name, message, code, facts: toPlain(Object.fromEntries(kept)) };
}

export function fromFailure({ name, message, code, facts }: FailureRecord): Error {
  // Written by `toFailure`, in this version of the record.
  const known = { message, ...facts } as unknown as ApiErrorOptions;
  if (code === undefined) return Object.assign(new Error(message), { name });
  const errorCode = code as ErrorCode;
  return known.url === undefined
    ? new ResponsesLoopError({ ...known, code: errorCode })
    : new ApiError({ ...known, code: errorCode });
}

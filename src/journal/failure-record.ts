import type { CleanError } from '../core/clean-text.js';
import type { FailureRecord } from './journal.js';
import type { ReachedLimit } from '../core/limits.js';
import { ApiError, type ApiErrorOptions, type NamedField } from '../errors/api-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { type CleanFacts, ResponsesLoopError } from '../errors/responses-loop-error.js';
import { toPlain } from './plain.js';
import { type Check, flag, listOf, may, number, object, oneOf, type Shape, shape, text } from './shape.js';

/** Facts of an `ApiError` that are kept; headers and bodies are not. */
type Facts = Pick<
  ApiErrorOptions,
  | 'url'
  | 'isRetryable'
  | 'mayFailOver'
  | 'isReplaySafe'
  | 'statusCode'
  | 'data'
  | 'serverCode'
  | 'named'
  | 'round'
  | 'limit'
>;

const FACTS: Shape<Facts> = {
  url: may(text),
  isRetryable: may(flag),
  mayFailOver: may(flag),
  isReplaySafe: may(flag),
  statusCode: may(number),
  data: may(object),
  serverCode: may(text),
  named: may(listOf(shape<NamedField>({ path: text, code: may(text) }))),
  round: may(number),
  limit: may(shape<ReachedLimit>({ name: text, value: number })),
};

/** A table, so that a new code does not compile without a row. */
const CODES: Readonly<Record<ErrorCode, true>> = {
  'invalid-settings': true,
  'missing-api-key': true,
  'invalid-prompt': true,
  'invalid-options': true,
  'connection-failed': true,
  'api-error': true,
  'not-a-responses-api': true,
  'stream-truncated': true,
  'stream-reset': true,
  timeout: true,
  limit: true,
  'tool-source-unavailable': true,
  'sign-in-failed': true,
  'mcp-app': true,
  journal: true,
  closed: true,
};

export const failure: Check = shape<FailureRecord>({
  name: text,
  message: text,
  code: may(oneOf(...Object.keys(CODES))),
  facts: may(shape<Facts>(FACTS)),
});

/** Errors are no JSON. */
export function toFailure(error: Error): FailureRecord {
  const { name, message } = error;
  if (!ResponsesLoopError.isInstance(error)) return { name, message };
  const { code, round, limit } = error;
  return { name, message, code, facts: toPlain(factsIn(ApiError.isInstance(error) ? error.facts : { round, limit })) };
}

/**
 * Restores the error of a checked record. `step`: the key of its record. An engine may have kept the message, so it
 * stays unchanged, and the cause names the origin of the error.
 */
export function fromFailure({ name, message, code, facts = {} }: FailureRecord, step?: string): CleanError {
  if (code === undefined) return Object.assign(new Error(message), { name }) as unknown as CleanError;
  const { url, isRetryable = false, ...known }: Partial<Facts> = factsIn(facts);
  // Recorded clean.
  const all = {
    ...known,
    message,
    code: code as ErrorCode,
    url,
    isRetryable,
    cause: step && new Error(`The journal returned this failure. To try again, delete its step "${step}".`),
  } as unknown as CleanFacts<ApiErrorOptions>;
  return url === undefined ? new ResponsesLoopError({ ...all, code: code as ErrorCode }) : new ApiError(all);
}

function factsIn(facts: object): Partial<Facts> {
  return Object.fromEntries(Object.entries(facts).filter(([fact]) => Object.hasOwn(FACTS, fact)));
}

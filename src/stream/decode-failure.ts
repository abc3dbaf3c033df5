import { clean } from '../core/clean-text.js';
import type { JsonObject } from '../core/json.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import { ApiError, type ApiErrorOptions, type NamedField } from '../errors/api-error.js';
import { classifyFailure } from '../errors/classify-failure.js';
import type { CleanFacts } from '../errors/responses-loop-error.js';
import type { Redactor } from '../observe/redactor.js';
import { defined } from '../util/defined.js';
import { clip, excerpt } from '../util/excerpt.js';
import { asArray, asId, asRecord, asRecords, isRecord } from '../util/guards.js';
import { isDeeperThan, isJsonWithin } from '../util/json.js';

/** A server's account of a failure, from any of its usual places. */
export type Failure = Pick<ApiErrorOptions, 'message' | 'serverCode' | 'statusCode' | 'named'>;

export interface FailureContext extends Pick<
  CleanFacts<ApiErrorOptions>,
  'url' | 'statusCode' | 'responseHeaders' | 'responseBody' | 'requestBody' | 'round'
> {
  /** Takes secrets out of what the server sent, once, before it is cut or put into another text. */
  readonly redactor: Redactor;
}

/**
 * Reads every shape seen: `{error: {message, code, type}}`, `{response: {error}}`, flat `{code, message}`, `{error: "…"}`,
 * `{success: false, error: [{message}]}` (responses.js), `{detail}` (FastAPI), numbers as codes (llama.cpp).
 */
export function decodeFailure(body: unknown): Failure {
  const outer = asRecord(body) ?? {};
  const holder = asRecord(outer['response']) ?? outer;
  const error = holder['error'] ?? holder;
  const facts = asRecord(error) ?? asRecord(asArray(error)[0]) ?? {};
  const serverCode = codeOf(facts) ?? codeOf(holder);
  const statusCode = statusOf(facts) ?? statusOf(outer);
  return {
    message: textOf(error) ?? textOf(facts) ?? detailOf(outer) ?? 'The server reported an error without a message.',
    ...defined({ serverCode, statusCode, named: namedFields(facts, outer) }),
  };
}

/** Characters of a server's message that are read and shown, because a stream may send one of any length. */
const MESSAGE_READ = 100_000;
const MESSAGE_SHOWN = 4_000;
const CODE_SHOWN = 200;

/**
 * The failure as an error that the AI SDK knows how to retry. `sent`: the server's bytes, if `body` is our account of
 * them.
 */
export function toApiError(body: unknown, context: FailureContext, sent: unknown = body): ApiError {
  const failure = decodeFailure(body);
  const [message, serverCode, named, data] = context.redactor.value([
    clip(failure.message, MESSAGE_READ),
    failure.serverCode === undefined ? undefined : clip(failure.serverCode, MESSAGE_READ),
    failure.named,
    failureData(sent),
  ] as const);
  const shownCode = serverCode === undefined ? undefined : excerpt(serverCode, CODE_SHOWN);
  const code = shownCode === undefined ? '' : clean` (${shownCode})`;
  const statusCode = context.statusCode ?? failure.statusCode;
  return new ApiError({
    ...factsOf(context),
    ...classifyFailure(defined({ statusCode, serverCode: failure.serverCode })),
    ...defined({ serverCode: shownCode, named, data }),
    message: clean`${excerpt(message, MESSAGE_SHOWN)}${code} [${context.url}]`,
  });
}

/** Returns the facts that an error may include. */
export function factsOf({ redactor: _redactor, ...facts }: FailureContext): Omit<FailureContext, 'redactor'> {
  return facts;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return isRecord(value) ? (asId(value['message']) ?? asId(value['error'])) : undefined;
}

function detailOf(outer: Record<string, unknown>): string | undefined {
  const { detail } = outer;
  if (typeof detail === 'string') return detail;
  if (isDeeperThan(detail, DEFAULT_LIMITS.jsonDepth)) return undefined;
  return detail === undefined ? undefined : JSON.stringify(detail);
}

/** The most entries that are read, because no request has more fields worth omitting. */
const MAX_NAMED = 1_000;
/** A longer path leads to no field that could be omitted. */
const MAX_PATH = 200;

/** `param`, also in a list of errors within the error, and the list of validation errors of FastAPI servers. */
function namedFields(facts: Record<string, unknown>, outer: Record<string, unknown>): NamedField[] | undefined {
  const errors = [facts, ...asRecords(facts['errors']), ...asRecords(facts['details'])];
  const byParam = errors.flatMap((error) => asNamed(asId(error['param']), error));
  const byLocation = asRecords(outer['detail']).flatMap((error) => asNamed(pathOf(asArray(error['loc'])), error));
  const fields = [...byParam, ...byLocation].slice(0, MAX_NAMED);
  return fields.length === 0 ? undefined : fields;
}

function asNamed(path: string | undefined, error: Record<string, unknown>): NamedField[] {
  return path === undefined || path.length > MAX_PATH ? [] : [{ path, ...defined({ code: codeOf(error) }) }];
}

/** `['body', 'tools', 3, 'name']` is `tools[3].name`. */
function pathOf([root, ...names]: readonly unknown[]): string | undefined {
  if (root !== 'body' || names.length === 0) return undefined;
  const path = names.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`)).join('');
  return path.slice(1);
}

/** `type` tells more than a bare HTTP status in `code`, and less than a name there. */
function codeOf(facts: Record<string, unknown>): string | undefined {
  const { code, type } = facts;
  if (typeof code === 'string' && code !== '') return code;
  if (typeof type === 'string' && type !== '' && type !== 'error' && !type.startsWith('response.')) return type;
  return typeof code === 'number' ? String(code) : undefined;
}

function statusOf(facts: Record<string, unknown>): number | undefined {
  const candidates = [facts['status'], facts['status_code'], facts['code']];
  // Not lists: `Number` reads one of lists by recursion.
  const numbers = candidates.map((value) => (typeof value === 'object' ? NaN : Number(value)));
  return numbers.find((value) => Number.isInteger(value) && value >= 400 && value < 600);
}

/** An error of OpenAI has some hundred characters. */
const DATA_BOUNDS = { depth: 16, chars: 16_000 };

/** Members of an error body or event about the failure; a response also repeats instructions, tools and output. */
const ABOUT_THE_FAILURE = ['type', 'sequence_number', 'code', 'message', 'param', 'error'];
const ABOUT_A_FAILED_RESPONSE = ['error', 'incomplete_details', 'usage', 'service_tier'];

/**
 * Returns a server's account of a failure as `data` of an error: the members that `@ai-sdk/openai` keeps. `undefined`
 * if there are none, or if they are too large. Not yet cleaned.
 */
export function failureData(sent: unknown): JsonObject | undefined {
  const body = asRecord(sent) ?? {};
  const response = asRecord(body['response']);
  const picked: Record<string, unknown> = {};
  for (const name of ABOUT_THE_FAILURE) if (body[name] !== undefined) picked[name] = body[name];
  if (response !== undefined) picked['response'] = pick(response, ABOUT_A_FAILED_RESPONSE);
  return Object.keys(picked).length === 0 || !isJsonWithin(picked, DATA_BOUNDS) ? undefined : (picked as JsonObject);
}

function pick(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

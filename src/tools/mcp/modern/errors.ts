import { asRecord, asString, isRecord } from '../../../util/guards.js';

/** Builds the error of a server's answer in the form that `failure.ts` reads: with the JSON-RPC code. */
function serverAnswer(code: number, message: string, data: unknown): Error {
  return Object.assign(new Error(message), { name: 'McpError', code, data });
}

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** The codes of `SdkError` are words and would pass for network codes. */
const STATES: Readonly<Record<string, (message: string, data: unknown) => Error>> = {
  NOT_CONNECTED: () => new Error('Not connected'),
  CONNECTION_CLOSED: (message, data) => serverAnswer(CONNECTION_CLOSED, message, data),
  REQUEST_TIMEOUT: (message, data) => serverAnswer(REQUEST_TIMEOUT, message, data),
  INVALID_RESULT: () => new Error(BROKEN),
};

const BROKEN = 'The server answered with something that breaks the protocol.';
/** Errors of schema checks, whose texts are for the schemas' authors, and of JSON parsing. */
const BROKEN_NAMES: ReadonlySet<string> = new Set(['ZodError', '$ZodError', 'SyntaxError']);

/** Translates an error of `@modelcontextprotocol/client` into the older SDK's form, by which failures are judged. */
export function inOlderWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error;
  const { code, data, status } = error as Error & { code?: unknown; data?: unknown; status?: unknown };
  if (name === 'AbortError') return error;
  if (BROKEN_NAMES.has(name)) return new Error(BROKEN);
  if (name === 'SdkHttpError' && typeof status === 'number') return withStatus(status, message, data);
  if (typeof code === 'number') return serverAnswer(code, message, data);
  if (name !== 'SdkError' || typeof code !== 'string') return error;
  // The SDK's own text around it adds nothing.
  if (cause instanceof Error) return cause;
  return STATES[code]?.(message, data) ?? new Error(message);
}

function withStatus(code: number, message: string, data: unknown): Error {
  return Object.assign(new Error(asString(asRecord(data)?.['text']) ?? message), { code });
}

/** True if the server supports no newer revision, so that an older client has to continue. */
export function speaksOlder(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const supported = asRecord(error['data'])?.['supported'];
  if (Array.isArray(supported)) return supported.some((version) => typeof version === 'string' && version < '2026');
  return error['code'] === 'ERA_NEGOTIATION_FAILED' && error['cause'] === undefined;
}

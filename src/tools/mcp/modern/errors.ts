import { asRecord, asString, isRecord } from '../../../util/guards.js';

/** What a server answered, as `failure.ts` knows it: with the code of JSON-RPC. */
function serverAnswer(code: number, message: string, data: unknown): Error {
  return Object.assign(new Error(message), { name: 'McpError', code, data });
}

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** The codes of `SdkError`, which are words and would pass for codes of the network. */
const STATES: Readonly<Record<string, (message: string, data: unknown) => Error>> = {
  NOT_CONNECTED: () => new Error('Not connected'),
  CONNECTION_CLOSED: (message, data) => serverAnswer(CONNECTION_CLOSED, message, data),
  REQUEST_TIMEOUT: (message, data) => serverAnswer(REQUEST_TIMEOUT, message, data),
  INVALID_RESULT: () => new Error(BROKEN),
};

const BROKEN = 'The server answered with something that breaks the protocol.';
/** Of what checks messages, whose words are for those who wrote the schemas, and of what reads JSON. */
const BROKEN_NAMES: ReadonlySet<string> = new Set(['ZodError', '$ZodError', 'SyntaxError']);

/** An error of `@modelcontextprotocol/client` in the words of the SDK before it, by which failures are judged. */
export function inOlderWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error;
  const { code, data, status } = error as Error & { code?: unknown; data?: unknown; status?: unknown };
  if (name === 'AbortError') return error;
  if (BROKEN_NAMES.has(name)) return new Error(BROKEN);
  if (name === 'SdkHttpError' && typeof status === 'number') return withStatus(status, message, data);
  if (typeof code === 'number') return serverAnswer(code, message, data);
  if (name !== 'SdkError' || typeof code !== 'string') return error;
  // The words of the SDK around it say nothing more.
  if (cause instanceof Error) return cause;
  return STATES[code]?.(message, data) ?? new Error(message);
}

function withStatus(code: number, message: string, data: unknown): Error {
  return Object.assign(new Error(asString(asRecord(data)?.['text']) ?? message), { code });
}

/** The server knows none of the newer revisions, so that an older client has to go on. */
export function speaksOlder(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const supported = asRecord(error['data'])?.['supported'];
  if (Array.isArray(supported)) return supported.some((version) => typeof version === 'string' && version < '2026');
  return error['code'] === 'ERA_NEGOTIATION_FAILED' && error['cause'] === undefined;
}

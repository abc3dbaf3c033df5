import { asNumber, asRecord, asString, isRecord } from '../../../util/guards.js';

/** What a server answered, as `failure.ts` knows it: with the code of JSON-RPC. */
class ServerAnswer extends Error {
  override readonly name = 'McpError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const CONNECTION_CLOSED = -32_000;
const REQUEST_TIMEOUT = -32_001;

/** The codes of `SdkError`, which are words and would pass for codes of the network. */
const STATES: Readonly<Record<string, (message: string, data: unknown) => Error>> = {
  NOT_CONNECTED: () => new Error('Not connected'),
  CONNECTION_CLOSED: (message, data) => new ServerAnswer(CONNECTION_CLOSED, message, data),
  REQUEST_TIMEOUT: (message, data) => new ServerAnswer(REQUEST_TIMEOUT, message, data),
  INVALID_RESULT: () => new Error(BROKEN),
};

const BROKEN = 'The server answered with something that breaks the protocol.';
/** Of what checks messages, whose words are for those who wrote the schemas, and of what reads JSON. */
const BROKEN_NAMES: ReadonlySet<string> = new Set(['ZodError', '$ZodError', 'SyntaxError']);

/** An error of `@modelcontextprotocol/client` in the words of the SDK before it, by which failures are judged. */
export function inOlderWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, code, data } = error as Error & { code?: unknown; data?: unknown };
  if (name === 'AbortError') return error;
  if (BROKEN_NAMES.has(name)) return new Error(BROKEN);
  const status = error.name === 'SdkHttpError' ? asNumber((error as { status?: unknown } & Error).status) : undefined;
  if (status !== undefined) return withStatus(error, status);
  if (typeof code === 'number') return new ServerAnswer(code, error.message, data);
  if (name !== 'SdkError' || typeof code !== 'string') return error;
  // The words of the SDK around it say nothing more.
  if (error.cause instanceof Error) return error.cause;
  return STATES[code]?.(error.message, data) ?? new Error(error.message);
}

function withStatus(error: Error, status: number): Error {
  const text = asString(asRecord((error as { data?: unknown } & Error).data)?.['text']);
  return Object.assign(new Error(text ?? error.message), { code: status });
}

/** The server knows none of the newer revisions, so that an older client has to go on. */
export function speaksOlder(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const supported = asRecord(error['data'])?.['supported'];
  if (Array.isArray(supported)) return supported.some((version) => typeof version === 'string' && version < '2026');
  return error['code'] === 'ERA_NEGOTIATION_FAILED' && error['cause'] === undefined;
}

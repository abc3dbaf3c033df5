import { asNumber, asString, isRecord } from '../../util/guards.js';
import { errorText } from '../../util/error-text.js';
import { McpAccessError } from './access-error.js';

/** What the failure of a request means. */
export interface McpFailure {
  /** The connection is of no use any more. */
  readonly isLost: boolean;
  /** The server cannot have acted on the request: asking again is safe for any tool. */
  readonly neverExecuted: boolean;
}

interface Rule {
  readonly matches: (error: Facts) => boolean;
  readonly means: McpFailure;
}

interface Facts {
  readonly error: unknown;
  readonly text: string;
  readonly status: number | undefined;
  readonly networkCode: string | undefined;
  readonly jsonRpcCode: number | undefined;
}

const LOST_BEFORE: McpFailure = { isLost: true, neverExecuted: true };
const LOST_DURING: McpFailure = { isLost: true, neverExecuted: false };
const ANSWERED: McpFailure = { isLost: false, neverExecuted: false };

const UNREACHABLE: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const GONE: ReadonlySet<number | undefined> = new Set([404, 410]);
/** Servers say it with 400, 401 and 404, or inside a JSON-RPC error (punkpeye/mcp-remote#106, agent-native#5547). */
const NO_SESSION =
  /session (id )?(was )?(not found|expired|invalid|unknown|terminated)|(no|invalid|unknown|missing|expired)( valid)?( mcp)?[- ]session|not initialized/i;

/** JSON-RPC codes under which servers and the SDK report the state of the connection; any other is the tool's own. */
const CONNECTION_CODES: ReadonlySet<number> = new Set([-32000, -32001, -32600]);

/** First match decides. */
const RULES: readonly Rule[] = [
  // Nothing was done. As lost, so that the server is left alone until the app has mended it, and its tools with it.
  { matches: ({ error }) => error instanceof McpAccessError, means: LOST_BEFORE },
  { matches: ({ jsonRpcCode }) => jsonRpcCode !== undefined && !CONNECTION_CODES.has(jsonRpcCode), means: ANSWERED },
  { matches: ({ text }) => /^Not connected$/.test(text), means: LOST_BEFORE },
  { matches: ({ status }) => GONE.has(status), means: LOST_BEFORE },
  { matches: ({ text }) => NO_SESSION.test(text), means: LOST_BEFORE },
  { matches: ({ networkCode }) => UNREACHABLE.has(networkCode), means: LOST_BEFORE },
  { matches: ({ text }) => /connection closed/i.test(text), means: LOST_DURING },
  { matches: ({ jsonRpcCode }) => jsonRpcCode !== undefined, means: ANSWERED },
  { matches: ({ networkCode }) => networkCode !== undefined, means: LOST_DURING },
  // What browsers, undici, Deno and Bun say when a request or its answer breaks off.
  {
    matches: ({ text }) => /fetch failed|failed to fetch|terminated|network ?error|load failed/i.test(text),
    means: LOST_DURING,
  },
];

export function classifyMcpFailure(error: unknown): McpFailure {
  const facts: Facts = {
    error,
    text: errorText(error),
    status: httpStatus(error),
    networkCode: causeCode(error),
    jsonRpcCode: rpcCode(error),
  };
  return RULES.find((rule) => rule.matches(facts))?.means ?? ANSWERED;
}

/** The HTTP status an SDK error carries: a field of its own, or, over SSE, words in the text. */
export function httpStatus(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined;
  const code = asNumber(error['code']) ?? Number(/\(HTTP (\d{3})\)/.exec(asString(error['message']) ?? '')?.[1]);
  return code >= 100 && code < 600 ? code : undefined;
}

/** `ECONNREFUSED` and its like, wherever Node hides it. */
export function causeCode(error: unknown): string | undefined {
  for (let current: unknown = error, depth = 0; depth < 4 && isRecord(current); depth += 1) {
    const code = asString(current['code']);
    if (code !== undefined) return code;
    current = current['cause'];
  }
  return undefined;
}

/** The code of a JSON-RPC error; they are negative. */
export function rpcCode(error: unknown): number | undefined {
  const code = isRecord(error) ? asNumber(error['code']) : undefined;
  return code !== undefined && code < 0 ? code : undefined;
}

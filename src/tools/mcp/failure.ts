import { asNumber, asString, isRecord } from '../../util/guards.js';
import { errorText } from '../../util/error-text.js';
import type { TransportKind } from './connect/open-transport.js';

/** A request that was not sent, or was refused, because the app has to provide something. The server did nothing. */
export class McpAccessError extends Error {
  override readonly name = 'McpAccessError';
  /** A sentence that tells the user what to do. */
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** What the failure of a request means for the connection and the call. */
export interface McpFailure {
  /** The connection can no longer be used. */
  readonly isLost: boolean;
  /** The server cannot have acted on the request, so any tool may be called again. */
  readonly neverExecuted: boolean;
}

/** Who wrote an error. `app-client` is any object with the methods of a client; its errors prove nothing. */
export type ConnectionKind = TransportKind | 'sdk-client' | 'app-client';

type Rule = readonly [matches: (facts: Facts) => boolean, means: McpFailure];

type Facts = ReturnType<typeof factsOf>;

function factsOf(error: unknown, kind: ConnectionKind) {
  return {
    error,
    text: errorText(error),
    isHttp: kind === 'http' || kind === 'sse',
    status: kind === 'stdio' ? undefined : httpStatus(error),
    networkCode: causeCode(error),
    jsonRpcCode: rpcCode(error),
  };
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
/** Codes of Node and undici for a network failure. An app has its own codes. */
const NETWORK_CODE = /^(?:E(?:CONN\w+|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NETDOWN|PIPE|TIMEDOUT)|UND_ERR_\w+)$/;
const GONE: ReadonlySet<number | undefined> = new Set([404, 410]);
/**
 * Servers send this text with 400, 401 and 404, or inside a JSON-RPC error (punkpeye/mcp-remote#106,
 * agent-native#5547).
 */
const NO_SESSION =
  /session (id )?(was )?(not found|expired|invalid|unknown|terminated)|(no|invalid|unknown|missing|expired)( valid)?( mcp)?[- ]session/i;
const NO_SESSION_STATUS: ReadonlySet<number | undefined> = new Set([400, 401]);
/** A tool may use these words for anything. A restarted server uses them for itself, with 400. */
const NOT_BEGUN = /(?:server|session) not initialized/i;

/** Codes of the protocol. A tool's own "session expired" mostly has another code. */
const NO_SESSION_CODES: ReadonlySet<number | undefined> = new Set([-32001, -32600]);
/** A code of revision 2026-07-28. */
const UNSUPPORTED_REVISION = -32_022;
/** JSON-RPC codes by which servers and the SDK report the connection's state. Any other code belongs to the tool. */
const CONNECTION_CODES: ReadonlySet<number> = new Set([-32000, -32001, -32600]);

const isClosed = ({ text }: Facts): boolean => /connection closed/i.test(text);

/** The first match decides. Words prove nothing about a writing tool; only errors of the transport do. */
const RULES: readonly Rule[] = [
  // Nothing was done. It counts as lost, so that the server rests until the app has fixed the cause.
  [({ error }) => error instanceof McpAccessError, LOST_BEFORE],
  // A server of another revision replaced this one. It refuses before it reads the request.
  [({ jsonRpcCode }) => jsonRpcCode === UNSUPPORTED_REVISION, LOST_BEFORE],
  [({ jsonRpcCode }) => jsonRpcCode !== undefined && !CONNECTION_CODES.has(jsonRpcCode), ANSWERED],
  // A send that failed; an answer of the server has a code.
  [({ text, jsonRpcCode }) => jsonRpcCode === undefined && text === 'Not connected', LOST_BEFORE],
  [({ status }) => GONE.has(status), LOST_BEFORE],
  [({ status, text }) => NO_SESSION_STATUS.has(status) && NO_SESSION.test(text), LOST_BEFORE],
  [({ status, text }) => status === 400 && NOT_BEGUN.test(text), LOST_BEFORE],
  [
    ({ isHttp, jsonRpcCode, text }) => isHttp && NO_SESSION_CODES.has(jsonRpcCode) && NO_SESSION.test(text),
    LOST_BEFORE,
  ],
  [({ isHttp, jsonRpcCode, text }) => isHttp && jsonRpcCode !== undefined && NO_SESSION.test(text), LOST_DURING],
  [({ networkCode }) => UNREACHABLE.has(networkCode), LOST_BEFORE],
  [isClosed, LOST_DURING],
  [({ jsonRpcCode }) => jsonRpcCode !== undefined, ANSWERED],
  [({ networkCode }) => networkCode !== undefined, LOST_DURING],
  // Texts of browsers, undici, Deno and Bun for a request or an answer that broke off.
  [({ text }) => /fetch failed|failed to fetch|terminated|network ?error|load failed/i.test(text), LOST_DURING],
];

/** The app's code may have done anything before it threw; at most, some network failed. */
const APP_CLIENT_RULES: readonly Rule[] = [
  [(facts) => facts.jsonRpcCode === -32000 && isClosed(facts), LOST_DURING],
  [({ networkCode = '' }) => NETWORK_CODE.test(networkCode), LOST_DURING],
];

export function classifyMcpFailure(error: unknown, kind: ConnectionKind): McpFailure {
  const facts = factsOf(error, kind);
  const rules = kind === 'app-client' ? APP_CLIENT_RULES : RULES;
  return rules.find(([matches]) => matches(facts))?.[1] ?? ANSWERED;
}

/** The SDK's text for a POST that failed; over SSE only this text has the status. */
const POST_FAILED = /^(?:Streamable HTTP error: )?Error POSTing to endpoint(?: \(HTTP (\d{3})\))?:? ?/;

/** Returns the HTTP status of an SDK error, from its field or, over SSE, from its text. */
export function httpStatus(error: unknown): number | undefined {
  if (!isRecord(error) || isAnswer(error)) return undefined;
  const code = asNumber(error['code']) ?? Number(POST_FAILED.exec(asString(error['message']) ?? '')?.[1]);
  return code >= 100 && code < 600 ? code : undefined;
}

/** Returns a text for users and models, because the SDK's own hides the status and ignores an empty body. */
export function failureText(error: unknown): string {
  const status = httpStatus(error);
  const text = errorText(error);
  if (status === undefined) return text;
  const rest = text.replace(POST_FAILED, '').trim();
  return rest === '' ? `HTTP ${status}` : `HTTP ${status}: ${rest}`;
}

/** Codes of revision 2026-07-28 to an older client: version not supported, header missing. */
const NEWER_ONLY: ReadonlySet<unknown> = new Set([-32_022, -32_020, -32_004]);

/** Returns whether a server supports only a newer revision of MCP. Over HTTP, the body of a 400 tells it. */
export function speaksOnlyNewer(error: unknown): boolean {
  const text = errorText(error);
  if (!/protocol ?version/i.test(text)) return false;
  const code = rpcCode(error) ?? Number(/"code" ?: ?(-\d{5})\b/.exec(text)?.[1]);
  return NEWER_ONLY.has(code);
}

/** True for an answer of the server. Tools pass on codes of other services, HTTP statuses among them. */
function isAnswer({ name, message }: Record<string, unknown>): boolean {
  return name === 'McpError' || asString(message)?.startsWith('MCP error ') === true;
}

/** Returns `ECONNREFUSED` and the like, at any depth of Node's causes. */
export function causeCode(error: unknown): string | undefined {
  for (let current: unknown = error, depth = 0; depth < 4 && isRecord(current); depth += 1) {
    const code = asString(current['code']);
    if (code !== undefined) return code;
    current = current['cause'];
  }
  return undefined;
}

/** Returns the code of a JSON-RPC error; it is negative unless a tool took one from elsewhere. */
export function rpcCode(error: unknown): number | undefined {
  const code = isRecord(error) ? asNumber(error['code']) : undefined;
  return code !== undefined && (code < 0 || (isRecord(error) && isAnswer(error))) ? code : undefined;
}

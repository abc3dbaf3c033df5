import { asNumber, asString, isRecord } from '../../util/guards.js';
import { errorText } from '../../util/error-text.js';
import type { TransportKind } from './connect/open-transport.js';

/** A request that did not go out, or was refused, because of what the app has to give for it. The server did nothing. */
export class McpAccessError extends Error {
  override readonly name = 'McpAccessError';
  /** What to do about it, as a sentence. */
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** What the failure of a request means. */
export interface McpFailure {
  /** The connection is of no use any more. */
  readonly isLost: boolean;
  /** The server cannot have acted on the request: asking again is safe for any tool. */
  readonly neverExecuted: boolean;
}

/** Who wrote an error. `app-client`: any object with the methods of a client, which may do anything. */
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
/** What Node and undici call a network that fails; an app has codes of its own. */
const NETWORK_CODE = /^(?:E(?:CONN\w+|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NETDOWN|PIPE|TIMEDOUT)|UND_ERR_\w+)$/;
const GONE: ReadonlySet<number | undefined> = new Set([404, 410]);
/** Servers say it with 400, 401 and 404, or inside a JSON-RPC error (punkpeye/mcp-remote#106, agent-native#5547). */
const NO_SESSION =
  /session (id )?(was )?(not found|expired|invalid|unknown|terminated)|(no|invalid|unknown|missing|expired)( valid)?( mcp)?[- ]session/i;
const NO_SESSION_STATUS: ReadonlySet<number | undefined> = new Set([400, 401]);
/** Any tool may say "not initialized" of whatever it needs; a server that was started anew says it of itself, with 400. */
const NOT_BEGUN = /(?:server|session) not initialized/i;

/** Codes of the protocol. A tool may say "session expired" of its own affairs, which mostly comes under other codes. */
const NO_SESSION_CODES: ReadonlySet<number | undefined> = new Set([-32001, -32600]);
/** Of revision 2026-07-28. */
const UNSUPPORTED_REVISION = -32_022;
/** JSON-RPC codes under which servers and the SDK report the state of the connection; any other is the tool's own. */
const CONNECTION_CODES: ReadonlySet<number> = new Set([-32000, -32001, -32600]);

const isClosed = ({ text }: Facts): boolean => /connection closed/i.test(text);

/** First match decides. Words alone prove nothing about a write tool: only the transport's own errors may. */
const RULES: readonly Rule[] = [
  // Nothing was done. As lost, so that the server is left alone until the app has mended it, and its tools with it.
  [({ error }) => error instanceof McpAccessError, LOST_BEFORE],
  // The server was replaced by one of another revision; it refuses before it looks at what is asked.
  [({ jsonRpcCode }) => jsonRpcCode === UNSUPPORTED_REVISION, LOST_BEFORE],
  [({ jsonRpcCode }) => jsonRpcCode !== undefined && !CONNECTION_CODES.has(jsonRpcCode), ANSWERED],
  // A send that failed; what a server answers comes with a code.
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
  // What browsers, undici, Deno and Bun say when a request or its answer breaks off.
  [({ text }) => /fetch failed|failed to fetch|terminated|network ?error|load failed/i.test(text), LOST_DURING],
];

/** The app's code may have done anything before it threw: at most the network failed somewhere. */
const APP_CLIENT_RULES: readonly Rule[] = [
  [(facts) => facts.jsonRpcCode === -32000 && isClosed(facts), LOST_DURING],
  [({ networkCode = '' }) => NETWORK_CODE.test(networkCode), LOST_DURING],
];

export function classifyMcpFailure(error: unknown, kind: ConnectionKind): McpFailure {
  const facts = factsOf(error, kind);
  const rules = kind === 'app-client' ? APP_CLIENT_RULES : RULES;
  return rules.find(([matches]) => matches(facts))?.[1] ?? ANSWERED;
}

/** What the SDK says of a POST that failed; over SSE the status stands nowhere else. */
const POST_FAILED = /^(?:Streamable HTTP error: )?Error POSTing to endpoint(?: \(HTTP (\d{3})\))?:? ?/;

/** The HTTP status an SDK error carries: a field of its own, or, over SSE, words in the text. */
export function httpStatus(error: unknown): number | undefined {
  if (!isRecord(error) || isAnswer(error)) return undefined;
  const code = asNumber(error['code']) ?? Number(POST_FAILED.exec(asString(error['message']) ?? '')?.[1]);
  return code >= 100 && code < 600 ? code : undefined;
}

/** For people and models: the SDK's own words hide the status, and say of an empty body nothing at all. */
export function failureText(error: unknown): string {
  const status = httpStatus(error);
  const text = errorText(error);
  if (status === undefined) return text;
  const rest = text.replace(POST_FAILED, '').trim();
  return rest === '' ? `HTTP ${status}` : `HTTP ${status}: ${rest}`;
}

/** Codes of revision 2026-07-28 for who speaks an older one: of a version not spoken, of a header that is missing. */
const NEWER_ONLY: ReadonlySet<unknown> = new Set([-32_022, -32_020, -32_004]);

/** Whether a server speaks only a revision of MCP that the SDK in use does not. Over HTTP it says so in the body of a 400. */
export function speaksOnlyNewer(error: unknown): boolean {
  const text = errorText(error);
  if (!/protocol ?version/i.test(text)) return false;
  const code = rpcCode(error) ?? Number(/"code" ?: ?(-\d{5})\b/.exec(text)?.[1]);
  return NEWER_ONLY.has(code);
}

/** What a server answered. Tools pass on codes of services they use as their own, HTTP statuses among them. */
function isAnswer({ name, message }: Record<string, unknown>): boolean {
  return name === 'McpError' || asString(message)?.startsWith('MCP error ') === true;
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

/** The code of a JSON-RPC error: negative, unless a tool took one from elsewhere. */
export function rpcCode(error: unknown): number | undefined {
  const code = isRecord(error) ? asNumber(error['code']) : undefined;
  return code !== undefined && (code < 0 || (isRecord(error) && isAnswer(error))) ? code : undefined;
}

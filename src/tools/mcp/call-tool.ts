import type { ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asNumber, asRecord } from '../../util/guards.js';
import { timeLimits, tookTooLong } from '../call/run-limits.js';
import { mapContentResult, type ShowsStructured } from '../map-content-result.js';
import type { ExecuteOptions, ToolProgress, CallOrigin } from '../tool-source.js';
import { givenMeta, IDEMPOTENCY_KEY, TOOL_CALL_ID } from './call-context.js';
import { rpcCode } from './failure.js';
import { ClientFailed } from './connect/ready-connection.js';
import { type LinkReader, resolveLinks } from './resolve-links.js';
import type { McpSession, McpSessionOptions } from './session.js';

const REQUEST_TIMEOUT = -32001;
/** Method not found, invalid parameters, and headers that contradict the parameters. */
const OF_OLD_LISTS: ReadonlySet<number | undefined> = new Set([-32_601, -32_602, -32_020]);
const READING = 'Linked resources are being read.';
const ASKING = 'The server waits for an answer to its question.';

export interface McpToolCall {
  readonly session: McpSession;
  readonly name: string;
  readonly args: ToolArguments;
  readonly options: McpSessionOptions;
}

/** Sends one `tools/call` and treats its result as the settings want. */
export async function callMcpTool(call: McpToolCall, execute: ExecuteOptions): Promise<ToolOutput> {
  const { session, name } = call;
  try {
    return await runCall(call, execute);
  } catch (error) {
    const code = rpcCode(error);
    // The list may be out of date, so the next call lists again.
    if (OF_OLD_LISTS.has(code) || error instanceof ClientFailed) session.markStale();
    throw code === REQUEST_TIMEOUT ? readTimeout(name, error) : error;
  }
}

/** The SDK has our total limit and may notice it first. A server's own -32001 lacks this data and passes. */
function readTimeout(name: string, error: unknown): unknown {
  const data = asRecord(asRecord(error)?.['data']) ?? {};
  const total = asNumber(data['maxTotalTimeout']) ?? asNumber(data['timeout']);
  return total === undefined ? error : tookTooLong(name, total);
}

async function runCall({ session, name, args, options }: McpToolCall, execute: ExecuteOptions): Promise<ToolOutput> {
  const { connection } = session;
  const { config, access } = options;
  const { signal, origin, callId, traceparent } = execute;
  // The caller watches the idle limit: the SDK's cannot pause while a user answers a question.
  const { idleMs, totalMs } = timeLimits(execute.timeoutMs, execute.totalTimeoutMs);
  let latest: ToolProgress = { progress: 0 };
  const say = (message: string): void => execute.onProgress?.({ ...latest, message });
  const context = { callId, tool: name, signal };
  const given = config.meta === undefined ? undefined : await givenMeta(config.meta, context);
  // The app's function may have taken too long: an aborted call is not sent.
  signal.throwIfAborted();
  const key = idempotencyKey(origin, callId, name);
  const _meta = {
    ...defined({ traceparent }),
    ...given,
    [IDEMPOTENCY_KEY]: key,
    ...(origin?.seed === undefined ? {} : { [TOOL_CALL_ID]: callId }),
  };
  // An app's own client object gets only the documented members, and those of the settings.
  const isForMeta = connection.kind !== 'app-client' || config.meta !== undefined;
  const forget = access.calls?.enter(key, context);
  const remove = connection.activeCalls.add(callId, idleMs, () => say(ASKING));
  try {
    const result = await connection.request(
      'tools/call',
      { name, arguments: { ...args }, ...(isForMeta ? { _meta } : {}) },
      {
        signal,
        timeout: totalMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: totalMs,
        // Without this, `resetTimeoutOnProgress` does nothing: no progress token is sent
        // (modelcontextprotocol/typescript-sdk#2250).
        onprogress: ({ progress, total, message }) => {
          latest = { progress, ...defined({ total, message }) };
          execute.onProgress?.(latest);
        },
      },
    );
    const reader: LinkReader = {
      signal,
      onSign: () => say(READING),
      read: (uri, readSignal) => connection.request('resources/read', { uri }, { signal: readSignal }),
      clean: (text) => access.redactor.text(text),
    };
    const whole = config.resolveResourceLinks === true ? await resolveLinks(result, reader) : result;
    const output = readResult(name, whole, config.structuredContent);
    execute.onResult?.(whole);
    return output;
  } finally {
    remove();
    forget?.();
  }
}

function readResult(tool: string, result: Record<string, unknown>, shows: ShowsStructured | undefined): ToolOutput {
  try {
    return mapContentResult(result, undefined, shows);
  } catch (error) {
    // Parsed JSON can fail here only by its depth.
    throw error instanceof RangeError ? new Error(`The result of "${tool}" is nested too deeply to be read.`) : error;
  }
}

const MOST_SEEN = 10_000;
/** A random id has this many letters and digits in a row, and this many different ones; words have not. */
const LONG = 16;
const DIFFERENT = 8;

/** A random value per conversation. */
const owners = new WeakMap<object, string>();
/** Maps a response id to the conversation that used it first. */
const seen = new Map<string, string>();

/**
 * Returns a name that is the same for each sending of one tool call and different for every other call, so that a
 * server can use it as an idempotency key. It uses the ids of the model's server if they are unique. Some servers count
 * from one in each conversation or repeat recorded ids; their names get a random part.
 */
export function idempotencyKey(origin: CallOrigin | undefined, callId: string, tool: string): string {
  if (origin === undefined) return crypto.randomUUID();
  const { owner, responseId, round, seed } = origin;
  const name = [responseId === undefined ? '+' : plain(responseId), round, plain(callId)].join('/');
  // Another process may send the same call again.
  if (seed !== undefined) return `${seed}/${name}`;
  const random = owners.get(owner) ?? crypto.randomUUID();
  owners.set(owner, random);
  // Some models build ids from the tool's name and a number, so conversations share them.
  const isUnique =
    looksRandom(responseId ?? callId.replaceAll(tool, '')) && (responseId === undefined || isFirst(responseId, random));
  return isUnique ? name : `${random}/${name}`;
}

/** Replaces the separator of the parts of a name. */
function plain(id: string): string {
  return id.replace(/[^\w.-]/gu, (char) => `%${char.codePointAt(0)?.toString(16)}%`);
}

function isFirst(responseId: string, owner: string): boolean {
  const first = seen.get(responseId);
  if (first !== undefined) return first === owner;
  seen.set(responseId, owner);
  if (seen.size > MOST_SEEN) for (const oldest of seen.keys()) return seen.delete(oldest);
  return true;
}

function looksRandom(id: string): boolean {
  let longest = '';
  for (const piece of id.split(/[^A-Za-z0-9]+/)) if (piece.length > longest.length) longest = piece;
  const isUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.test(id);
  return isUuid || (longest.length >= LONG && /\d/.test(longest) && new Set(longest).size >= DIFFERENT);
}

import type { ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asNumber, asRecord } from '../../util/guards.js';
import { timeLimits, tookTooLong } from '../call/run-limits.js';
import { mapContentResult } from '../map-content-result.js';
import type { ExecuteOptions, ToolProgress, CallOrigin } from '../tool-source.js';
import { givenMeta, IDEMPOTENCY_KEY, TOOL_CALL_ID } from './call-context.js';
import { rpcCode } from './failure.js';
import { ClientFailed } from './connect/ready-connection.js';
import { resolveLinks } from './resolve-links.js';
import type { McpSession, McpSessionOptions } from './session.js';

const REQUEST_TIMEOUT = -32001;
/** No such method, wrong parameters, and headers that do not say what the parameters say. */
const OF_OLD_LISTS: ReadonlySet<number | undefined> = new Set([-32_601, -32_602, -32_020]);
const READING = 'Linked resources are being read.';
const ASKING = 'The server waits for an answer to its question.';

export interface McpToolCall {
  readonly session: McpSession;
  readonly name: string;
  readonly args: ToolArguments;
  readonly options: McpSessionOptions;
}

/** One `tools/call`, and what its settings want done with the result. */
export async function callMcpTool(call: McpToolCall, execute: ExecuteOptions): Promise<ToolOutput> {
  const { session, name } = call;
  try {
    return await runCall(call, execute);
  } catch (error) {
    const code = rpcCode(error);
    // The list may be out of date: the next call looks again.
    if (OF_OLD_LISTS.has(code) || error instanceof ClientFailed) session.markStale();
    throw code === REQUEST_TIMEOUT ? readTimeout(name, error) : error;
  }
}

/** The SDK has our total limit, and may notice first; a server's own -32001 has no such data and is passed on. */
function readTimeout(name: string, error: unknown): unknown {
  const data = asRecord(asRecord(error)?.['data']) ?? {};
  const total = asNumber(data['maxTotalTimeout']) ?? asNumber(data['timeout']);
  return total === undefined ? error : tookTooLong(name, total);
}

async function runCall({ session, name, args, options }: McpToolCall, execute: ExecuteOptions): Promise<ToolOutput> {
  const { connection } = session;
  const { config, access } = options;
  const { signal, origin, callId, traceparent } = execute;
  // The idle limit is watched by the caller: that of the SDK cannot rest while a person is being asked.
  const { idleMs, totalMs } = timeLimits(execute.timeoutMs, execute.totalTimeoutMs);
  let latest: ToolProgress = { progress: 0 };
  const say = (message: string): void => execute.onProgress?.({ ...latest, message });
  const context = { callId, tool: name, signal };
  const given = config.meta === undefined ? undefined : await givenMeta(config.meta, context);
  // The app's function may have taken longer than the call may: nothing is sent that was given up.
  signal.throwIfAborted();
  const key = idempotencyKey(origin, callId, name);
  const _meta = {
    ...defined({ traceparent }),
    ...given,
    [IDEMPOTENCY_KEY]: key,
    ...(origin?.seed === undefined ? {} : { [TOOL_CALL_ID]: callId }),
  };
  // An object of the app's own gets what its promise names, and what the app asks for.
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
        // Without it `resetTimeoutOnProgress` does nothing: no progress token is sent (modelcontextprotocol/typescript-sdk#2250).
        onprogress: ({ progress, total, message }) => {
          latest = { progress, ...defined({ total, message }) };
          execute.onProgress?.(latest);
        },
      },
    );
    if (config.resolveResourceLinks !== true) return readResult(name, result);
    const whole = await resolveLinks(result, {
      signal,
      onSign: () => say(READING),
      read: (uri, readSignal) => connection.request('resources/read', { uri }, { signal: readSignal }),
      clean: (text) => access.redactor.text(text),
    });
    return readResult(name, whole);
  } finally {
    remove();
    forget?.();
  }
}

function readResult(tool: string, result: Record<string, unknown>): ToolOutput {
  try {
    return mapContentResult(result);
  } catch (error) {
    // What came out of JSON can only be deeper than the stack.
    throw error instanceof RangeError ? new Error(`The result of "${tool}" is nested too deeply to be read.`) : error;
  }
}

const MOST_SEEN = 10_000;
/** As many letters and digits in a row, so many of them different, as an id has that was drawn at random; a text of words has not. */
const LONG = 16;
const DIFFERENT = 8;

/** Something random that distinguishes each conversation from all others. */
const owners = new WeakMap<object, string>();
/** Response ids, and the conversation that had each first. */
const seen = new Map<string, string>();

/**
 * A name that the same call of a tool always has, however often it is sent, and no other call: a server can take it for an
 * idempotency key. It is made of the ids of the model's server where those are unique; some servers count from one in every
 * conversation, or repeat what they recorded, and then it has a part of its own.
 */
export function idempotencyKey(origin: CallOrigin | undefined, callId: string, tool: string): string {
  if (origin === undefined) return crypto.randomUUID();
  const { owner, responseId, round, seed } = origin;
  const name = [responseId === undefined ? '+' : plain(responseId), round, plain(callId)].join('/');
  // Another process may send the same call again.
  if (seed !== undefined) return `${seed}/${name}`;
  const random = owners.get(owner) ?? crypto.randomUUID();
  owners.set(owner, random);
  // Some models make ids of the name of the tool and a number, so that every conversation has the same.
  const isUnique =
    looksRandom(responseId ?? callId.replaceAll(tool, '')) && (responseId === undefined || isFirst(responseId, random));
  return isUnique ? name : `${random}/${name}`;
}

/** What separates the parts of a name must not stand in one. */
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

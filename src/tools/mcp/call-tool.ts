import type { ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { defined } from '../../util/defined.js';
import { asNumber, asRecord } from '../../util/guards.js';
import { timeLimits, tookTooLong } from '../call/run-limits.js';
import { mapContentResult } from '../map-content-result.js';
import type { ExecuteOptions, ToolProgress } from '../tool-source.js';
import { givenMeta, IDEMPOTENCY_KEY, TOOL_CALL_ID } from './call-context.js';
import { rpcCode } from './failure.js';
import { idempotencyKey } from './idempotency-key.js';
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

/**
 * A progress callback always goes along: without one no progress token is sent, and the SDK's `resetTimeoutOnProgress` does
 * nothing (modelcontextprotocol/typescript-sdk#2250).
 */
async function runCall(call: McpToolCall, execute: ExecuteOptions): Promise<ToolOutput> {
  const { connection } = call.session;
  const { signal } = execute;
  // The idle limit is watched by the caller: that of the SDK cannot rest while a person is being asked.
  const { idleMs, totalMs } = timeLimits(execute.timeoutMs, execute.totalTimeoutMs);
  let latest: ToolProgress = { progress: 0 };
  const alive = (step: ToolProgress): void => execute.onProgress?.(step);
  const sayAsking = (): void => alive({ ...latest, message: ASKING });
  const context = { callId: execute.callId, tool: call.name, signal };
  const key = idempotencyKey(execute.origin, execute.callId, call.name);
  const { config, access } = call.options;
  const given = config.meta === undefined ? undefined : await givenMeta(config.meta, context);
  // The app's function may have taken longer than the call may: nothing is sent that was given up.
  signal.throwIfAborted();
  const { traceparent, origin, callId } = execute;
  const _meta = {
    ...(traceparent === undefined ? {} : { traceparent }),
    ...given,
    [IDEMPOTENCY_KEY]: key,
    ...(origin?.seed === undefined ? {} : { [TOOL_CALL_ID]: callId }),
  };
  // An object of the app's own gets what its promise names, and what the app asks for.
  const isForMeta = connection.kind !== 'app-client' || config.meta !== undefined;
  const forget = access.calls?.enter(key, context);
  const remove = connection.activeCalls.add(execute.callId, idleMs, sayAsking);
  try {
    const result = await connection.request(
      'tools/call',
      { name: call.name, arguments: { ...call.args }, ...(isForMeta ? { _meta } : {}) },
      {
        signal,
        timeout: totalMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: totalMs,
        onprogress: (step) => {
          latest = { progress: step.progress, ...defined({ total: step.total, message: step.message }) };
          alive(latest);
        },
      },
    );
    if (config.resolveResourceLinks !== true) return readResult(call.name, result);
    const whole = await withResources(call, result, signal, () => alive({ ...latest, message: READING }));
    return readResult(call.name, whole);
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

async function withResources(
  { session, options: { access } }: McpToolCall,
  result: Record<string, unknown>,
  signal: AbortSignal,
  onSign: () => void,
): Promise<Record<string, unknown>> {
  return resolveLinks(result, {
    signal,
    onSign,
    read: (uri, readSignal) => session.connection.request('resources/read', { uri }, { signal: readSignal }),
    clean: (text) => access.redactor.text(text),
  });
}

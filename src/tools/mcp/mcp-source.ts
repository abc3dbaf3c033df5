import type { CleanText } from '../../core/clean-text.js';
import type { ToolOutput } from '../../core/message.js';
import { isLimitReached, limitOf } from '../../errors/limit-reached.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { redacting } from '../../observe/notify.js';
import { abortError, followAbort, raceAbort, withSignal } from '../../util/abort.js';
import { createContextQueue } from '../../util/queues.js';
import { showControls, withoutHidden } from '../../util/control-characters.js';
import { defined } from '../../util/defined.js';
import { cut } from '../../util/excerpt.js';
import { timerMs } from '../../util/timers.js';
import type { ExecuteOptions, PageAccess, SourceTool, ToolSource } from '../tool-source.js';
import { timeLimits } from '../call/run-limits.js';
import { callMcpTool, type McpToolCall } from './call-tool.js';
import type { McpLiveClient } from './connect/client-like.js';
import { classifyMcpFailure, failureText, type McpFailure } from './failure.js';
import type { FetchLike } from './sdk-gaps/guard-fetch.js';
import { checkUnchanged, ToolChanged } from './pinning.js';
import { ClientFailed } from './connect/ready-connection.js';
import { createReview, type OnToolsChanged } from './review-tools.js';
import { createServerAccess, type ServerAccess } from './connect/server-access.js';
import { toServerConfig, type McpServerEntry } from './server-config.js';
import type { McpSession, McpSessionOptions } from './session.js';
import { SessionKeeper } from './session-keeper.js';

const MAX_INSTRUCTIONS_CHARS = 4_000;

export interface McpSourceOptions extends Omit<McpSessionOptions, 'config' | 'access' | 'outside' | 'review'> {
  readonly config: McpServerEntry;
  readonly fetch: FetchLike;
  readonly onToolsChanged?: OnToolsChanged | undefined;
}

export interface McpToolSource extends ToolSource {
  /** Returns the client, connected. The provider closes it, so the app must not, unless the app made it. */
  client(signal?: AbortSignal): Promise<McpLiveClient>;
}

/** Makes a tool source of an MCP server. It connects on first use and again after a loss. */
export function createMcpSource({ config: entry, fetch, onToolsChanged, ...rest }: McpSourceOptions): McpToolSource {
  const config = toServerConfig(entry);
  const access = createServerAccess({ ...rest, config, fetch });
  // Made here, so that its functions run in the asynchronous context in which the source was made.
  const outside = createContextQueue<() => void>((run) => run());
  const observer = redacting(rest.observer, access.redactor.long);
  const review = onToolsChanged && createReview({ server: rest.key, onToolsChanged, timeoutMs: rest.connectTimeoutMs });
  const connectTimeoutMs = timerMs(rest.connectTimeoutMs);
  const keeper = new SessionKeeper({ ...rest, connectTimeoutMs, config, access, outside, observer, review });
  const warnings: string[] = [];

  return {
    key: rest.key,
    kind: 'mcp',
    list: (signal) => raceAbort(listTools(keeper, warnings), signal),
    execute: async (name, args, execute) => {
      const { controller, release } = followAbort(execute.signal, keeper.closing);
      try {
        return await executeOnServer(keeper, { name, args }, { ...execute, signal: controller.signal });
      } finally {
        release();
      }
    },
    takeWarnings: () => warnings.splice(0),
    secrets: access.secrets,
    ...(config.useInstructions === true ? { instructions: () => instructionsOf(keeper.peek()) } : {}),
    client: async (signal) => (await raceAbort(keeper.get(), signal)).connection.client,
    ...defined({
      finishSignIn: access.finishSignIn,
      pages: config.apps === true ? pageAccess(keeper, warnings) : undefined,
    }),
    close: () => keeper.close(),
  };
}

function instructionsOf(session: McpSession | undefined): string | undefined {
  const text = session?.connection.instructions?.trim();
  if (text === undefined || text === '') return undefined;
  return cut(withoutHidden(text), MAX_INSTRUCTIONS_CHARS);
}

async function listTools(keeper: SessionKeeper, warnings: string[]): Promise<readonly SourceTool[]> {
  const { key, access } = keeper.options;
  const session = await keeper.get();
  try {
    await session.refresh();
  } catch (error) {
    if (keeper.isClosed || failureOf(session, error).isLost || error instanceof ClientFailed) {
      keeper.drop(session);
      return listTools(keeper, warnings);
    }
    const reason = explain(error, access).message;
    warnings.push(`MCP server "${key}": listing its tools again failed (${reason}); the earlier list is used.`);
  }
  if (session.warnings.length > 0) warnings.push(...access.redactor.value(session.warnings.splice(0)));
  return session.forModel;
}

async function executeOnServer(
  keeper: SessionKeeper,
  call: Pick<McpToolCall, 'name' | 'args'>,
  execute: ExecuteOptions,
  isRepeated = false,
): Promise<ToolOutput> {
  const { signal, offered } = execute;
  const session = await raceAbort(keeper.get(), signal);
  try {
    // Nearly always the session still has the very tool that was offered.
    if (session.isStale || (offered !== undefined && !session.tools.includes(offered)))
      await raceAbort(checkUnchanged(session, offered), signal);
    return await callMcpTool({ ...call, session, options: keeper.options }, execute);
  } catch (error) {
    const isRepeatable = mayRepeat(session, call.name);
    const failure = readFailure(error, keeper, { name: call.name, session, signal, isRepeatable, isRepeated });
    if (failure !== undefined) throw failure;
  }
  return executeOnServer(keeper, call, execute, true);
}

function pageAccess(keeper: SessionKeeper, warnings: string[]): PageAccess {
  const { config, key } = keeper.options;
  return {
    tool: async (name, signal) => {
      await raceAbort(listTools(keeper, warnings), signal);
      const tool = (await keeper.get()).tool(name);
      return tool?.audience === 'model' ? undefined : tool;
    },
    read: (uri, { signal, timeoutMs }) => {
      const { idleMs: ms } = timeLimits(config.timeoutMs ?? timeoutMs);
      const error = new Error(`MCP server "${key}" did not answer within ${ms} ms.`);
      return withSignal([signal, keeper.closing], (both) => readResource(keeper, uri, both), { ms, error });
    },
  };
}

async function readResource(
  keeper: SessionKeeper,
  uri: string,
  signal: AbortSignal,
  isRepeated = false,
): Promise<Record<string, unknown>> {
  const session = await raceAbort(keeper.get(), signal);
  try {
    return await raceAbort(session.connection.request('resources/read', { uri }, { signal }), signal);
  } catch (error) {
    const failure = readFailure(error, keeper, { name: uri, session, signal, isRepeatable: true, isRepeated });
    if (failure !== undefined) throw failure;
  }
  return readResource(keeper, uri, signal, true);
}

interface FailedCall {
  /** The tool or the resource. */
  readonly name: string;
  readonly session: McpSession;
  readonly signal: AbortSignal;
  /** By its own word, it may be repeated without further effect. */
  readonly isRepeatable: boolean;
  readonly isRepeated: boolean;
}

/** Drops a lost session. Returns the error to fail with; `undefined` if the call may be sent again. */
function readFailure(
  error: unknown,
  keeper: SessionKeeper,
  { name, session, signal, isRepeated, ...call }: FailedCall,
): Error | undefined {
  const { key, access } = keeper.options;
  const isRepeatable = call.isRepeatable && !signal.aborted;
  const reason = explain(error, access);
  const lost = (): Error => {
    const why = reason.message.replace(/\.$/, '');
    const effect = isRepeatable ? '' : ' It may or may not have taken effect.';
    const message = `The connection to MCP server "${key}" was lost while "${name}" ran (${why}).${effect}`;
    return explained(error, access.redactor.text(message));
  };
  if (error instanceof ToolChanged) return explained(error, access.redactor.text(error.message));
  if (signal.aborted) return isClosedBy(signal) ? lost() : abortError(signal);
  const { isLost, neverExecuted } = failureOf(session, error);
  if (!isLost) return reason;
  keeper.drop(session);
  const isSafe = (neverExecuted || isRepeatable) && !isLimitReached(error);
  if (isSafe && !isRepeated) return undefined;
  return isSafe && neverExecuted ? reason : lost();
}

/** True if `close()` of the provider ended it. */
function isClosedBy({ reason }: AbortSignal): boolean {
  return ResponsesLoopError.isInstance(reason) && reason.code === 'closed';
}

function failureOf({ connection }: McpSession, error: unknown): McpFailure {
  if (isLimitReached(error)) return { isLost: !connection.isOpen(), neverExecuted: false };
  return classifyMcpFailure(error, connection.kind);
}

/** True if the server annotates the tool as repeatable without further effect. */
function mayRepeat(session: McpSession, name: string): boolean {
  const tool = session.tool(name);
  return tool !== undefined && (tool.readOnly || tool.idempotent === true);
}

function explain(error: unknown, { redactor }: ServerAccess): Error {
  if (error instanceof Error && error.name === 'TimeoutError') return error;
  // Leaves the cause out, because its text may hold the secret that was just removed.
  return explained(error, redactor.text(failureText(error)));
}

function explained(error: unknown, message: CleanText): Error {
  if (!isLimitReached(error)) return new Error(showControls(message));
  return new ResponsesLoopError({ code: 'limit', message, ...limitOf(error) });
}

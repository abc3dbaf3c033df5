import type { ToolOutput } from '../../core/message.js';
import { isLimitReached, limitOf } from '../../errors/limit-reached.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { redacting } from '../../observe/notify.js';
import { abortError, raceAbort, withSignal } from '../../util/abort.js';
import { createContextQueue } from '../../util/queues.js';
import { showControls, withoutHidden } from '../../util/control-characters.js';
import { defined } from '../../util/defined.js';
import { cut } from '../../util/excerpt.js';
import { timerMs } from '../../util/timers.js';
import type { ExecuteOptions, SourceTool, ToolSource } from '../tool-source.js';
import { callMcpTool, type McpToolCall } from './call-tool.js';
import type { McpLiveClient } from './connect/client-like.js';
import { classifyMcpFailure, failureText, type McpFailure } from './failure.js';
import type { FetchLike } from './sdk-gaps/guard-fetch.js';
import { checkUnchanged, ToolChanged } from './pinning.js';
import { ClientFailed } from './connect/ready-connection.js';
import { createReview, type OnToolsChanged } from './review-tools.js';
import { createServerAccess } from './connect/server-access.js';
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
  /** Connects if need be. Must not be closed by the app, unless the app handed it in: the provider closes it. */
  client(signal?: AbortSignal): Promise<McpLiveClient>;
}

/** An MCP server as a tool source: connected when first wanted, reconnected when lost. */
export function createMcpSource({ config: entry, fetch, onToolsChanged, ...rest }: McpSourceOptions): McpToolSource {
  const config = toServerConfig(entry);
  const access = createServerAccess({
    config,
    fetch,
    maxMessageBytes: rest.limits.messageBytes,
    now: rest.now,
    loadModern: rest.loadModern,
  });
  // Made here, so that what it runs has the asynchronous context in which the source was made.
  const outside = createContextQueue<() => void>((run) => run());
  const observer = redacting(rest.observer, access.redactor.long);
  const review = onToolsChanged && createReview({ server: rest.key, onToolsChanged, timeoutMs: rest.connectTimeoutMs });
  const connectTimeoutMs = timerMs(rest.connectTimeoutMs);
  const options: McpSessionOptions = { ...rest, connectTimeoutMs, config, access, outside, observer, review };
  const keeper = new SessionKeeper(options);
  const warnings: string[] = [];

  return {
    key: options.key,
    kind: 'mcp',
    list: (signal) => raceAbort(listTools(keeper, options, warnings), signal),
    execute: (name, args, execute) =>
      withSignal([execute.signal, keeper.closing], (signal) =>
        executeOnServer(keeper, options, { name, args }, { ...execute, signal }),
      ),
    takeWarnings: () => warnings.splice(0),
    secrets: access.secrets,
    ...(config.useInstructions === true ? { instructions: () => instructionsOf(keeper.peek()) } : {}),
    client: async (signal) => (await raceAbort(keeper.get(), signal)).connection.client,
    ...defined({ finishSignIn: access.finishSignIn }),
    close: () => keeper.close(),
  };
}

function instructionsOf(session: McpSession | undefined): string | undefined {
  const text = session?.connection.instructions?.trim();
  if (text === undefined || text === '') return undefined;
  return cut(withoutHidden(text), MAX_INSTRUCTIONS_CHARS);
}

async function listTools(
  keeper: SessionKeeper,
  options: McpSessionOptions,
  warnings: string[],
): Promise<readonly SourceTool[]> {
  const session = await keeper.get();
  try {
    await session.refresh();
  } catch (error) {
    if (keeper.isClosed || failureOf(session, error).isLost || error instanceof ClientFailed) {
      keeper.drop(session);
      return listTools(keeper, options, warnings);
    }
    const reason = explain(error, options).message;
    warnings.push(`MCP server "${options.key}": listing its tools again failed (${reason}); the earlier list is used.`);
  }
  if (session.warnings.length > 0) warnings.push(...options.access.redactor.value(session.warnings.splice(0)));
  return session.tools;
}

async function executeOnServer(
  keeper: SessionKeeper,
  options: McpSessionOptions,
  { name, args }: Pick<McpToolCall, 'name' | 'args'>,
  execute: ExecuteOptions,
): Promise<ToolOutput> {
  const { signal, offered } = execute;
  const call = { name, args, options };
  /** Gives a lost session up; the error to fail with, `undefined` if the call may be sent again. */
  const fail = (session: McpSession, error: unknown): Error | undefined => {
    const isRepeatable = mayRepeat(session, name);
    if (error instanceof ToolChanged) return explained(error, error.message);
    if (signal.aborted && !(ResponsesLoopError.isInstance(signal.reason) && signal.reason.code === 'closed'))
      return abortError(signal);
    if (signal.aborted) return lostDuring({ name, error, isRepeatable: false }, options);
    const { isLost, neverExecuted } = failureOf(session, error);
    if (!isLost) return explain(error, options);
    keeper.drop(session);
    if ((neverExecuted || isRepeatable) && !isLimitReached(error)) return undefined;
    return lostDuring({ name, error, isRepeatable }, options);
  };
  const session = await raceAbort(keeper.get(), signal);
  try {
    // Nearly always it is the very tool that was offered.
    if (session.isStale || (offered !== undefined && !session.tools.includes(offered)))
      await raceAbort(checkUnchanged(session, offered), signal);
    return await callMcpTool({ ...call, session }, execute);
  } catch (error) {
    const failure = fail(session, error);
    if (failure !== undefined) throw failure;
  }
  const renewed = await raceAbort(keeper.get(), signal);
  await raceAbort(checkUnchanged(renewed, offered), signal);
  try {
    return await callMcpTool({ ...call, session: renewed }, execute);
  } catch (error) {
    const { neverExecuted } = failureOf(renewed, error);
    const last = neverExecuted ? explain(error, options) : lostDuring({ name, error, isRepeatable: true }, options);
    throw fail(renewed, error) ?? last;
  }
}

function failureOf({ connection }: McpSession, error: unknown): McpFailure {
  if (isLimitReached(error)) return { isLost: !connection.isOpen(), neverExecuted: false };
  return classifyMcpFailure(error, connection.kind);
}

/** Annotated by the server: asking twice does no more than asking once. */
function mayRepeat(session: McpSession, name: string): boolean {
  const tool = session.tool(name);
  return tool !== undefined && (tool.readOnly || tool.idempotent === true);
}

interface LostCall {
  readonly name: string;
  readonly isRepeatable: boolean;
  readonly error: unknown;
}

function lostDuring({ name, isRepeatable, error }: LostCall, options: McpSessionOptions): Error {
  const reason = explain(error, options).message.replace(/\.$/, '');
  const effect = isRepeatable ? '' : ' It may or may not have taken effect.';
  return explained(
    error,
    `The connection to MCP server "${options.key}" was lost while "${name}" ran (${reason}).${effect}`,
  );
}

function explain(error: unknown, { access }: McpSessionOptions): Error {
  if (error instanceof Error && error.name === 'TimeoutError') return error;
  // Without the cause: its text may hold what was just taken out.
  return explained(error, access.redactor.text(failureText(error)));
}

function explained(error: unknown, message: string): Error {
  if (!isLimitReached(error)) return new Error(showControls(message));
  return new ResponsesLoopError({ code: 'limit', message, ...limitOf(error) });
}

import type { ToolOutput } from '../../core/message.js';
import { abortError, raceAbort } from '../../util/abort.js';
import { errorText } from '../../util/error-text.js';
import type { ExecuteOptions, SourceTool, ToolSource } from '../tool-source.js';
import { callMcpTool, type McpToolCall } from './call-tool.js';
import { withoutServerSecrets } from './describe-server.js';
import { classifyMcpFailure } from './failure.js';
import type { McpSession } from './session.js';
import { SessionKeeper, type SessionKeeperOptions } from './session-keeper.js';

/** An MCP server as a tool source: connected when first wanted, reconnected when lost. */
export function createMcpSource(options: SessionKeeperOptions): ToolSource {
  const keeper = new SessionKeeper(options);
  const warnings: string[] = [];

  return {
    key: options.key,
    kind: 'mcp',
    list: (signal) => raceAbort(listTools(keeper, options.key, warnings), signal),
    execute: (name, args, execute) => executeOnServer(keeper, options, { name, args }, execute),
    takeWarnings: () => warnings.splice(0),
    close: () => keeper.close(),
  };
}

async function listTools(keeper: SessionKeeper, key: string, warnings: string[]): Promise<readonly SourceTool[]> {
  const session = await keeper.get();
  try {
    await session.refresh();
  } catch (error) {
    if (classifyMcpFailure(error).isLost) {
      keeper.drop(session);
      return listTools(keeper, key, warnings);
    }
    warnings.push(
      `MCP server "${key}": listing its tools again failed (${errorText(error)}); the earlier list is used.`,
    );
  }
  warnings.push(...session.takeWarnings());
  return session.tools;
}

async function executeOnServer(
  keeper: SessionKeeper,
  options: SessionKeeperOptions,
  { name, args }: Pick<McpToolCall, 'name' | 'args'>,
  execute: ExecuteOptions,
): Promise<ToolOutput> {
  const { validator } = options;
  const session = await raceAbort(keeper.get(), execute.signal);
  try {
    return await callMcpTool({ session, name, args, validator }, execute);
  } catch (error) {
    if (execute.signal.aborted) throw abortError(execute.signal);
    const failure = classifyMcpFailure(error);
    if (!failure.isLost) throw explain(error, options);
    keeper.drop(session);
    if (!failure.neverExecuted && !mayRepeat(session, name)) throw lostDuring(name, error, options);
  }
  const renewed = await raceAbort(keeper.get(), execute.signal);
  try {
    return await callMcpTool({ session: renewed, name, args, validator }, execute);
  } catch (error) {
    if (classifyMcpFailure(error).isLost) keeper.drop(renewed);
    throw explain(error, options);
  }
}

/** Annotated by the server: asking twice does no more than asking once. */
function mayRepeat(session: McpSession, name: string): boolean {
  const tool = session.tool(name);
  return tool !== undefined && (tool.readOnly || tool.idempotent === true);
}

function lostDuring(name: string, error: unknown, options: SessionKeeperOptions): Error {
  const reason = withoutServerSecrets(errorText(error), options.config);
  return new Error(
    `The connection to MCP server "${options.key}" was lost while "${name}" ran (${reason}). It may or may not have taken effect.`,
  );
}

function explain(error: unknown, options: SessionKeeperOptions): Error {
  if (error instanceof Error && error.name === 'TimeoutError') return error;
  // Without the cause: its text may hold what was just taken out.
  return new Error(withoutServerSecrets(errorText(error), options.config));
}

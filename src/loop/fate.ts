import type { Call, ToolCallOrigin } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import { type HostedTool, wireNameOf } from '../core/tool.js';
import { hostedKindOfTool, runsAtServer, toolOfStep } from '../items/kinds.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';

/** The answerer of a call, and the caller's view of it. Decided once per call; all later code reads it. */
export interface Fate {
  readonly origin: ToolCallOrigin;
  /** The caller's name for the tool. `undefined`: the caller does not see the call. */
  readonly shownAs: string | undefined;
  /** The tool to run. Without it, a call of ours gets a list of the existing tools. */
  readonly tool?: LoopTool;
  /** The call changes nothing, so it may run parallel to other such calls. */
  readonly overlaps: boolean;
  /** Models make this tool up for several calls; see `ParallelCalls`. */
  readonly isWrapper?: boolean;
  /** The server asked the user about its call under this id. */
  readonly approvalId?: string | undefined;
}

interface FateOptions {
  readonly call: Call;
  readonly toolset: Toolset;
  readonly onUnknownTool?: 'error' | 'client' | undefined;
  readonly isVisible: (toolName: string) => boolean;
}

const WRAPPERS: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel']);

/**
 * Decides about a function call by its name. Our tools are those in the toolset, offered or deferred; the client
 * declares its own. Any other name goes to the side that the settings select, else to the side that has tools.
 */
export function fateOf(name: string, { call, toolset, onUnknownTool, isVisible }: FateOptions): Fate {
  const tool = toolset.byWireName.get(name);
  const shownAs = isVisible(name) ? name : undefined;
  if (tool !== undefined) return { origin: 'loop', shownAs, tool, overlaps: tool.tool.readOnly };
  const client = { origin: 'client', shownAs: name, overlaps: true } as const;
  if (call.clientTools.some((declaration) => declaration.name === name)) return client;
  const isKeptBack = toolset.keptBack?.byWireName.has(name) === true;
  const isOurs = onUnknownTool === undefined ? toolset.tools.length > 0 : onUnknownTool !== 'client';
  const isWrapper = WRAPPERS.has(name);
  // A call of a tool that does not exist has no effect.
  return isOurs || isKeptBack ? { origin: 'loop', shownAs, overlaps: true, isWrapper } : { ...client, isWrapper };
}

/**
 * Decides about a call of another kind. The caller answers it if it declared such a tool of its own, else the server
 * (containers, xAI's `x_search`). The caller sees no tool name that it did not declare.
 */
export function fateOfItem(kind: string, { call }: FateOptions): Fate {
  const tool = hostedTool(kind, call);
  const origin = tool === undefined || runsAtServer(tool) ? 'hosted' : 'client';
  return { origin, shownAs: tool?.name, overlaps: true };
}

/**
 * Decides about a call that the server runs by itself. A tool of its own MCP server has its own name if any name may be
 * shown, as with `@ai-sdk/openai`, because a declaration covers several tools.
 */
export function fateOfHosted(
  { tool, item = {} }: { readonly tool: string; readonly item?: JsonObject },
  { call, isVisible }: FateOptions,
): Fate {
  const own = hostedKindOfTool(tool)?.nameOf?.(item);
  const declared = hostedTool(tool, call)?.name ?? (isVisible(tool) ? tool : undefined);
  return { origin: 'hosted', shownAs: own !== undefined && isVisible(own) ? own : declared, overlaps: true };
}

/**
 * Returns the caller's declaration of a tool that the server knows by its kind, or by the caller's name for it. Kinds come
 * with dates and `_preview`.
 */
export function hostedTool(kind: string, { hostedTools }: Call): HostedTool | undefined {
  return (
    hostedTools.find((tool) => wireNameOf(tool) === kind) ??
    hostedTools.find((tool) => tool.name === kind) ??
    hostedTools.find((tool) => tool.type === kind || tool.type.startsWith(`${kind}_`)) ??
    hostedTools.find((tool) => tool.type === toolOfStep(kind))
  );
}

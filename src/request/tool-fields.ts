import { ownWords } from '../core/clean-text.js';
import type { Call } from '../core/call.js';
import { isJsonObject, type JsonValue } from '../core/json.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import { type HostedTool, type ToolDeclaration, wireNameOf } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { AllowedTool, AllowedToolsChoice, Tool, ToolChoice } from '../wire/tool.js';
import { chooseHosted, convertFunctions, convertHostedTool, convertToolChoice } from './convert-tools.js';
import { vendorOf } from './vendors.js';

/** The hosted tools of a call. */
export interface SortedHosted {
  readonly taken: readonly HostedTool[];
  /** The same, as they are sent. */
  readonly wire: readonly Tool[];
  /** The caller's chosen tool, if the server cannot be forced to call it. */
  readonly unforced?: string | undefined;
  readonly warnings: readonly CallWarning[];
}

export const NO_HOSTED: SortedHosted = { taken: [], wire: [], warnings: [] };

/** Servers that know functions only refuse a request for one tool of another kind. */
export function sortHosted({ hostedTools: tools, toolChoice }: Call, profile: Profile): SortedHosted {
  const known = (tool: HostedTool): boolean => profile.hostedTools === 'any' || profile.hostedTools.includes(tool.type);
  const taken = tools.filter(known);
  const { keys, forcesHosted = true } = vendorOf(profile);
  const isForced = toolChoice.type === 'tool' && taken.some(({ name }) => name === toolChoice.name);
  const unforced = isForced && !forcesHosted ? toolChoice.name : undefined;
  const warnings = tools
    .filter((tool) => !known(tool))
    .map((tool): CallWarning => ({
      feature: `provider-defined tool ${tool.name}`,
      details: `The tool "${tool.name}" (${tool.type}) was not sent: the back end "${profile.name}" does not run such tools.`,
      tool,
    }));
  if (unforced !== undefined)
    warnings.push({
      feature: `toolChoice for server-side tool "${unforced}"`,
      details: `toolChoice was not sent: the back end "${profile.name}" cannot be forced to use "${unforced}".`,
    });
  return { taken, unforced, wire: taken.map((tool) => convertHostedTool(tool, keys)), warnings };
}

export interface ToolFields {
  readonly tools?: readonly Tool[];
  readonly tool_choice?: ToolChoice;
}

/** `tools` and `tool_choice` of a round. */
export function toolFields(
  round: Pick<RoundRequest, 'tools' | 'toolChoice' | 'closing'>,
  { call, profile }: { readonly call: Call; readonly profile: Profile },
  hosted: SortedHosted,
): ToolFields {
  const functions = withoutForcedDeferral(round, call);
  const tools = [...convertFunctions(functions), ...hosted.wire, ...toolSearchFor(functions, call)];
  if (tools.length === 0 || (round.closing && profile.closingTools === 'remove')) return {};
  if (round.closing) return { tools, tool_choice: 'none' };
  const { allowedTools } = call.options;
  const allowed =
    allowedTools === undefined || round.toolChoice.type === 'none'
      ? undefined
      : convertAllowedTools(allowedTools, functions, hosted.taken)?.choice;
  const isUnforced = round.toolChoice.type === 'tool' && round.toolChoice.name === hosted.unforced;
  const choice = allowed ?? (isUnforced ? undefined : convertToolChoice(round.toolChoice, hosted.taken));
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

/** A tool of ours that must be called cannot be deferred. */
function withoutForcedDeferral(
  { tools, toolChoice }: Pick<RoundRequest, 'tools' | 'toolChoice'>,
  { clientTools }: Call,
): readonly ToolDeclaration[] {
  if (toolChoice.type !== 'tool') return tools;
  return tools.map((tool) => {
    const isForced = tool.name === toolChoice.name && tool.deferLoading === true && !clientTools.includes(tool);
    return isForced ? { ...tool, deferLoading: false } : tool;
  });
}

/** The caller does not know which tools of ours are deferred, but knows its own. */
function toolSearchFor(functions: readonly ToolDeclaration[], { clientTools, hostedTools }: Call): Tool[] {
  if (hostedTools.some(({ type }) => type === 'tool_search')) return [];
  const theirs = new Set(clientTools);
  const isNeeded = functions.some((tool) => tool.deferLoading === true && !theirs.has(tool));
  return isNeeded ? [{ type: 'tool_search' }] : [];
}

export interface AllowedTools {
  readonly choice: AllowedToolsChoice;
  readonly warnings: readonly CallWarning[];
}

/**
 * The option `allowedTools: { toolNames, mode? }`: narrows the choice and leaves `tools`, and so the prompt cache,
 * alone. A name is a tool of the call or of ours, else the server's own name (`web_search`).
 *
 * @throws ResponsesLoopError `invalid-options`: no tool is left that may be called
 */
export function convertAllowedTools(
  option: JsonValue | undefined,
  functions: readonly ToolDeclaration[],
  hosted: readonly HostedTool[],
): AllowedTools | undefined {
  if (!isJsonObject(option) || !Array.isArray(option['toolNames'])) return undefined;
  const names = option['toolNames'].filter((name) => typeof name === 'string');
  const byName = new Map([...hosted, ...functions].map((tool) => [tool.name, tool]));
  const found = names.map((name) => ({ name, ...resolve(name, byName.get(name), hosted) }));
  const tools = found.flatMap(({ tool }) => tool ?? []);
  if (tools.length === 0)
    throw new ResponsesLoopError({
      code: 'invalid-options',
      message: ownWords(
        `The option "allowedTools" allows nothing that can be allowed: ${found.map(({ name, warning }) => `"${name}" (${warning})`).join(', ') || 'it names no tool'}.`,
      ),
    });
  return {
    choice: { type: 'allowed_tools', mode: option['mode'] === 'required' ? 'required' : 'auto', tools },
    warnings: found.flatMap(({ name, warning }) =>
      warning === undefined
        ? []
        : [{ feature: `allowedTools entry "${name}"`, details: `"${name}" in the option "allowedTools": ${warning}.` }],
    ),
  };
}

/** The meaning of a name in the option `allowedTools`. */
type Resolved = AllowedTool | { readonly cannot: string };

/** `named`: the call's tool of this name. */
function resolve(
  name: string,
  named: ToolDeclaration | HostedTool | undefined,
  hosted: readonly HostedTool[],
): { tool?: AllowedTool; warning?: string } {
  // The tools that the server knows by this name, each once.
  const others = new Map<string, Resolved>();
  for (const tool of hosted) {
    const word = tool.type === 'custom' ? wireNameOf(tool) : tool.type;
    if (word === name) others.set(JSON.stringify(resolveTool(tool)), resolveTool(tool));
  }
  if (named === undefined && others.size > 1)
    return { warning: 'several tools of this call go by it at the server; name one as the call does' };
  const found = named === undefined ? [...others.values()][0] : resolveTool(named);
  if (found === undefined)
    return { tool: { type: 'function', name }, warning: 'no tool of this call is named so; it was sent as a function' };
  if ('cannot' in found) return { warning: `${found.cannot}; it was left out` };
  others.delete(JSON.stringify(found));
  const warning = 'the server knows another tool by this name; the tool that the call names so is allowed';
  return { tool: found, ...(others.size > 0 && { warning }) };
}

function resolveTool(tool: ToolDeclaration | HostedTool): Resolved {
  if ('args' in tool)
    return tool.type === 'tool_search' ? { cannot: 'tool search cannot be allowed by name' } : chooseHosted(tool);
  if (tool.omitFromRequestTools === true) return { cannot: 'the tool is not in the tools of this request' };
  if (tool.namespace !== undefined) return { cannot: 'a tool in a namespace cannot be allowed by name' };
  if (tool.deferLoading === true) return { cannot: 'a tool that the model must search for cannot be allowed by name' };
  return { type: 'function', name: tool.name };
}

import type { Call } from '../core/call.js';
import type { Profile } from '../core/profile.js';
import type { RoundRequest } from '../core/round.js';
import type { HostedTool, ToolDeclaration } from '../core/tool.js';
import type { CallWarning } from '../core/warning.js';
import type { Tool, ToolChoice } from '../wire/tool.js';
import { convertAllowedTools } from './allowed-tools.js';
import { convertHostedTool } from './convert-hosted-tool.js';
import { convertToolChoice } from './convert-tool-choice.js';
import { convertFunctions } from './convert-tools.js';
import { vendorOf } from './vendors.js';

/** The hosted tools of a call. */
export interface SortedHosted {
  readonly taken: readonly HostedTool[];
  /** The same, as they are sent. */
  readonly wire: readonly Tool[];
  /** The one that the caller wants to be used, where the server cannot be made to. */
  readonly unforced?: string | undefined;
  readonly warnings: readonly CallWarning[];
}

const NO_HOSTED: SortedHosted = { taken: [], wire: [], warnings: [] };

/** Servers that know functions only refuse a request for one tool of another kind. */
export function sortHosted({ hostedTools: tools, toolChoice }: Call, profile: Profile): SortedHosted {
  if (tools.length === 0) return NO_HOSTED;
  const known = (tool: HostedTool): boolean => profile.hostedTools === 'any' || profile.hostedTools.includes(tool.type);
  const taken = tools.filter(known);
  const { keys, forcesHosted = true } = vendorOf(profile);
  const isForced = toolChoice.type === 'tool' && taken.some(({ name }) => name === toolChoice.name);
  const unforced = isForced && !forcesHosted ? toolChoice.name : undefined;
  return {
    taken,
    unforced,
    wire: taken.map((tool) => convertHostedTool(tool, keys)),
    warnings: [
      ...tools
        .filter((tool) => !known(tool))
        .map((tool) => ({
          feature: `provider-defined tool ${tool.name}`,
          details: `The tool "${tool.name}" (${tool.type}) was not sent: the back end "${profile.name}" runs no such tool.`,
          tool,
        })),
      ...(unforced === undefined
        ? []
        : [
            {
              feature: `toolChoice for server-side tool "${unforced}"`,
              details: `toolChoice was not sent: the back end "${profile.name}" cannot be made to use "${unforced}".`,
            },
          ]),
    ],
  };
}

/** `tools` and `tool_choice` of a round. */
export function toolFields(
  round: Pick<RoundRequest, 'tools' | 'toolChoice' | 'closing'>,
  { call, profile }: { readonly call: Call; readonly profile: Profile },
  hosted: SortedHosted,
): { readonly tools?: readonly Tool[]; readonly tool_choice?: ToolChoice } {
  const functions = withoutForcedDeferral(round, call);
  const tools = [...convertFunctions(functions), ...hosted.wire, ...toolSearchFor(functions, call)];
  if (tools.length === 0 || (round.closing && profile.closingTools === 'remove')) return {};
  if (round.closing) return { tools, tool_choice: 'none' };
  const allowed =
    round.toolChoice.type === 'none'
      ? undefined
      : convertAllowedTools(call.options['allowedTools'], functions, hosted.taken)?.choice;
  const isUnforced = round.toolChoice.type === 'tool' && round.toolChoice.name === hosted.unforced;
  const choice = allowed ?? (isUnforced ? undefined : convertToolChoice(round.toolChoice, hosted.taken));
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

/** A tool of ours that has to be called cannot be one that has to be found first. */
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

/** Who makes a call does not know which tools of ours have to be searched for; of the call's own it does. */
function toolSearchFor(functions: readonly ToolDeclaration[], { clientTools, hostedTools }: Call): Tool[] {
  if (hostedTools.some(({ type }) => type === 'tool_search')) return [];
  const theirs = new Set(clientTools);
  const isNeeded = functions.some((tool) => tool.deferLoading === true && !theirs.has(tool));
  return isNeeded ? [{ type: 'tool_search' }] : [];
}

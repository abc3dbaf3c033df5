import { ownWords } from '../core/clean-text.js';
import type { Call } from '../core/call.js';
import type { CallWarning } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { LoopOptions } from '../loop/loop-options.js';
import type { RoundSource } from '../rounds/round-source.js';
import { convertAllowedTools } from '../request/tool-fields.js';
import type { Toolset, ServerInstructions } from '../tools/loop-tool.js';
import type { Message, SystemMessage } from '../core/message.js';
import type { Chosen } from './engine.js';

export type ChosenTools = Pick<LoopOptions, 'call' | 'toolset' | 'resumeToolset' | 'keepOutput'> & {
  readonly choiceWarnings: readonly CallWarning[];
};

/** Returns the call with a toolset, and warnings about its choice among the tools. */
export function withTools(call: Call, toolset: Toolset): ChosenTools {
  const offered = call.clientTools.length > 0 ? withoutShadowed(call, toolset) : call;
  const isNamed = call.toolChoice.type === 'tool' || call.options['allowedTools'] !== undefined;
  return {
    call: toolset.instructions.length > 0 ? withInstructions(offered, toolset.instructions) : offered,
    toolset,
    choiceWarnings: isNamed ? warnOfChoice(call, toolset) : [],
  };
}

/** All warnings of a call before its first round. */
export function warningsOf(
  chosen: Chosen,
  ofPrompt: readonly CallWarning[],
  { toolset, choiceWarnings }: ChosenTools,
  source: RoundSource,
): readonly CallWarning[] {
  const ofTools = [...toolset.warnings, ...(toolset.leftOut ?? [])];
  return [...(chosen.warnings ?? []), ...ofPrompt, ...ofTools, ...source.warnings, ...choiceWarnings];
}

type ToolParts = 'all' | 'declared' | 'none';

/** Returns whether parts of a loop tool are shown. */
export function visibleTools(setting: ToolParts | undefined, usual: ToolParts, call: Call): (name: string) => boolean {
  const mode = setting ?? usual;
  const declared = new Set(call.declaredLoopTools);
  return (name) => mode === 'all' || (mode === 'declared' && declared.has(name));
}

/** If `nameClash: 'loop'` gives us a name, the caller's tool of that name is omitted. */
function withoutShadowed(call: Call, toolset: Toolset): Call {
  if (!call.clientTools.some((tool) => toolset.byWireName.has(tool.name))) return call;
  return { ...call, clientTools: call.clientTools.filter((tool) => !toolset.byWireName.has(tool.name)) };
}

/**
 * Checks names in the tool choice and in `allowedTools` that the server would refuse without naming them, or ignore.
 *
 * @throws ResponsesLoopError `invalid-options`: a forced tool that is not declared, or `allowedTools` that allow nothing
 */
function warnOfChoice(call: Call, toolset: Toolset): readonly CallWarning[] {
  const { toolChoice, clientTools, hostedTools } = call;
  const allowed =
    toolChoice.type === 'none' || clientTools.length + hostedTools.length + toolset.tools.length === 0
      ? undefined
      : convertAllowedTools(
          call.options['allowedTools'],
          [...clientTools, ...toolset.tools.map((tool) => tool.declaration)],
          hostedTools,
        );
  if (allowed !== undefined) return allowed.warnings;
  if (toolChoice.type !== 'tool' || toolset.byWireName.has(toolChoice.name)) return [];
  const { name } = toolChoice;
  const chosen = clientTools.find((tool) => tool.name === name);
  if (chosen?.omitFromRequestTools === true)
    throw new ResponsesLoopError({
      code: 'invalid-options',
      message: ownWords(`toolChoice forces the tool "${name}", which "omitFromRequestTools" keeps out of the request.`),
    });
  const isKnown = chosen !== undefined || hostedTools.some((tool) => tool.name === name);
  return isKnown ? [] : [`toolChoice names "${name}", which is none of the tools of this call.`];
}

/**
 * Returns the call with the tool servers' instructions after the system prompt. They join the last system message if
 * any, because some chat templates accept only one (llama.cpp).
 */
export function withInstructions(call: Call, instructions: readonly ServerInstructions[]): Call {
  if (instructions.length === 0) return call;
  const firstOther = call.messages.findIndex((message) => !isPlainSystem(message));
  const end = firstOther < 0 ? call.messages.length : firstOther;
  const system = call.messages.slice(0, end).filter(isPlainSystem);
  const last = system.pop();
  const added = instructions.map(({ source, text }) => `# Instructions of the tool server "${source}"\n${text}`);
  const text = [...(last === undefined ? [] : [last.text]), ...added].join('\n\n');
  return { ...call, messages: [...system, { ...last, role: 'system', text }, ...call.messages.slice(end)] };
}

function isPlainSystem(message: Message): message is SystemMessage {
  return message.role === 'system' && message.reasoningEffort === undefined;
}

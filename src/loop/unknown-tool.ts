import { errorOutput, type ToolOutput } from '../core/message.js';
import { limitOutput } from '../tools/call/limit-output.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import type { LoopOptions } from './loop-options.js';
import type { OwnCall } from './own-calls.js';

/** Tells the model the existing tools, the way to a deferred one, or the fault of a wrapper of several calls. */
export function answerUnknownTool(
  { call: { name, arguments: text }, fate }: Pick<OwnCall, 'call' | 'fate'>,
  { call, toolset, limits }: Pick<LoopOptions, 'call' | 'toolset' | 'limits'>,
): ToolOutput {
  const wrapped = fate.isWrapper === true ? parseToolArguments(text) : undefined;
  if (wrapped?.ok === false) return limitOutput(errorOutput(wrapped.message), limits);
  const { keptBack } = toolset;
  if (keptBack?.byWireName.has(name) === true) return limitOutput(errorOutput(keptBack.refusal(name)), limits);
  const names = [...toolset.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  const listed =
    names.length === 0 ? 'There are no tools in this conversation.' : `The tools are: ${names.join(', ')}.`;
  return limitOutput(errorOutput(`There is no tool named ${JSON.stringify(name)}. ${listed}`), limits);
}

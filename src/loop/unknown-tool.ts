import { errorOutput, textOutput, type ToolOutput } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import type { ExecuteToolCallOptions } from '../tools/call/call-scope.js';
import { executeToolCall, type ToolCallOutcome } from '../tools/call/execute-tool-call.js';
import { limitOutput } from '../tools/call/run-limits.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { isRecord } from '../util/guards.js';
import { toJsonText } from '../util/to-json.js';
import { isParallelWrapper, type OwnershipOptions } from './tool-ownership.js';

interface SentOn {
  readonly tool: LoopTool;
  readonly argumentsText: string;
}

/** Rejects only when the signal fires. A function is run like a tool: under its limits, and with events. */
export async function answerUnknownTool(
  made: RoundToolCall,
  { call, toolset, onUnknownTool }: OwnershipOptions,
  how: Omit<ExecuteToolCallOptions, 'tool' | 'argumentsText'>,
): Promise<{ readonly outcome: ToolCallOutcome } | { readonly sentOn: SentOn }> {
  const validNames = [...toolset.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  const sentence = wrapperProblem(made) ?? `There is no tool named ${JSON.stringify(made.name)}. ${listed(validNames)}`;
  const standard = limitOutput(errorOutput(sentence), how.scope.limits);
  if (typeof onUnknownTool !== 'function') return { outcome: standard };
  const { callId, name, arguments: text } = made;
  let sentOn: SentOn | undefined;
  const tool = standIn(name, async (signal) => {
    const answer = await onUnknownTool({ callId, name, arguments: text, validNames, signal });
    if (answer === undefined) return standard;
    if (isSendingOn(answer)) {
      sentOn = readSentOn(answer, { toolset, text });
      return textOutput(`Sent on to ${JSON.stringify(answer.tool)}.`);
    }
    // Loaded where it is used: it belongs to the code of tools, which not everybody needs.
    const { mapReturnValue } = await import('../tools/local/map-return-value.js');
    return mapReturnValue(answer);
  });
  // The function reads the arguments itself, broken ones too.
  const argumentsText = parseToolArguments(text).ok ? text : '{}';
  const { approve: _approve, ...scope } = how.scope;
  const outcome = await executeToolCall({ tool, argumentsText, ...how, scope });
  // A function that was given up, or whose output could not be shown, sends nothing on.
  const counts = outcome !== 'awaits-user' && !outcome.isError;
  return sentOn !== undefined && counts ? { sentOn } : { outcome };
}

/** Runs a call where a function sent it, as one of that tool. */
export async function runSentOn(
  sentOn: SentOn,
  how: Omit<ExecuteToolCallOptions, 'tool' | 'argumentsText'>,
): Promise<ToolCallOutcome> {
  // The call that would be approved is not the one that is shown, so the user is not asked.
  if (how.user !== 'reachable') return executeToolCall({ ...sentOn, ...how });
  let needsUser = false;
  const onUnreachable = (): void => void (needsUser = true);
  const outcome = await executeToolCall({ ...sentOn, ...how, user: 'unreachable', onUnreachable });
  const name = JSON.stringify(sentOn.tool.declaration.name);
  const sentence = `Not run: ${name} needs the approval of the user, who is asked where it is called by its own name. Call ${name}.`;
  return needsUser ? limitOutput(errorOutput(sentence), how.scope.limits) : outcome;
}

/** Any other object is an output. */
function isSendingOn(answer: unknown): answer is { readonly tool: string; readonly arguments?: unknown } {
  if (!isRecord(answer) || typeof answer['tool'] !== 'string') return false;
  return Object.keys(answer).every((key) => key === 'tool' || key === 'arguments');
}

function readSentOn(
  { tool: name, arguments: given }: { readonly tool: string; readonly arguments?: unknown },
  { toolset, text }: { readonly toolset: Toolset; readonly text: string },
): SentOn {
  const tool = toolset.byWireName.get(name);
  const names = [...toolset.byWireName.keys()].join(', ');
  if (tool === undefined)
    throw new Error(
      `"onUnknownTool" sent the call to ${JSON.stringify(name)}, which is no tool of this provider here: ${names}.`,
    );
  if (given === undefined) return { tool, argumentsText: text };
  if (typeof given === 'string') return { tool, argumentsText: given };
  const argumentsText = isRecord(given) ? toJsonText(given) : undefined;
  if (argumentsText === undefined)
    throw new Error('"onUnknownTool" gave arguments that are neither an object nor a JSON text.');
  return { tool, argumentsText };
}

/** What kept the calls inside a wrapper from being read. */
function wrapperProblem({ name, arguments: text }: RoundToolCall): string | undefined {
  const parsed = isParallelWrapper(name) ? parseToolArguments(text) : undefined;
  return parsed?.ok === false ? parsed.message : undefined;
}

/** A tool that is not there, as one that the rest of the package can run. */
function standIn(name: string, execute: (signal: AbortSignal) => Promise<ToolOutput>): LoopTool {
  const inputSchema = { type: 'object', properties: {} };
  return {
    declaration: { name, inputSchema },
    tool: { name, inputSchema, readOnly: false },
    source: {
      key: 'unknown',
      list: async () => [],
      execute: (_name, _args, { signal }) => execute(signal),
      close: async () => {},
    },
  };
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'There are no tools in this conversation.' : `The tools are: ${names.join(', ')}.`;
}

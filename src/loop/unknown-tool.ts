import type { Call } from '../core/call.js';
import { errorOutput, type ToolOutput } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import { isParallelWrapper } from './parallel-calls.js';
import { executeToolCall, type ExecuteToolCallOptions, type ToolCallOutcome } from '../tools/call/execute-tool-call.js';
import { limitOutput } from '../tools/call/limit-output.js';
import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';

/** A call of a tool that does not exist. */
export interface UnknownToolCall {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** The names there are. */
  readonly validNames: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * What becomes of a call of a tool that does not exist: the model is told which there are (`'error'`), the call goes to
 * the caller (`'client'`), or a function answers it. What the function returns is the call's output, as a local tool's
 * would be; `undefined` leaves it at telling the model.
 */
export type OnUnknownTool = 'error' | 'client' | ((call: UnknownToolCall) => unknown);

export interface UnknownToolOptions {
  readonly call: Call;
  readonly offer: ToolOffer;
  readonly onUnknownTool?: OnUnknownTool | undefined;
}

/** Rejects only when the signal fires. A function is run like a tool: under its limits, and seen by whoever watches. */
export async function answerUnknownTool(
  made: RoundToolCall,
  { call, offer, onUnknownTool }: UnknownToolOptions,
  how: Omit<ExecuteToolCallOptions, 'tool' | 'argumentsText'>,
): Promise<ToolCallOutcome> {
  const validNames = [...offer.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  const sentence = wrapperProblem(made) ?? `There is no tool named ${JSON.stringify(made.name)}. ${listed(validNames)}`;
  const standard = limitOutput(errorOutput(sentence), how);
  if (typeof onUnknownTool !== 'function') return standard;
  const { callId, name, arguments: text } = made;
  const tool = standIn(name, async (signal) => {
    const answer = await onUnknownTool({ callId, name, arguments: text, validNames, signal });
    if (answer === undefined) return standard;
    // Loaded where it is used: it belongs to the code of tools, which not everybody needs.
    const { mapReturnValue } = await import('../tools/local/map-return-value.js');
    return mapReturnValue(answer);
  });
  // The function reads the arguments itself, broken ones too.
  return executeToolCall({ tool, argumentsText: parseToolArguments(text).ok ? text : '{}', ...how });
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

import type { Call } from '../core/call.js';
import { errorOutput, type ToolOutput } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import { mapReturnValue } from '../tools/local/map-return-value.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import { raceAbort } from '../util/abort.js';
import { errorText } from '../util/error-text.js';

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

/** Rejects only when the signal fires. */
export async function answerUnknownTool(
  { callId, name, arguments: text }: RoundToolCall,
  { call, offer, onUnknownTool }: UnknownToolOptions,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const validNames = [...offer.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  const standard = `There is no tool named ${JSON.stringify(name)}. ${listed(validNames)}`;
  if (typeof onUnknownTool !== 'function') return errorOutput(standard);
  try {
    const asked = { callId, name, arguments: text, validNames, signal };
    const answer = await raceAbort(Promise.resolve(onUnknownTool(asked)), signal);
    return answer === undefined ? errorOutput(standard) : await mapReturnValue(answer);
  } catch (error) {
    if (signal.aborted) throw error;
    return errorOutput(`${standard} (${errorText(error)})`);
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'There are no tools in this conversation.' : `The tools are: ${names.join(', ')}.`;
}

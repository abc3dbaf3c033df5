import type { CarriedCall, PlacedCall } from '../core/carrier.js';
import type { ToolOutput } from '../core/message.js';
import type { CallPart, CallToolCall, RoundToolCall } from '../core/part.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { defined } from '../util/defined.js';
import type { ApprovalSeal } from './approval-seal.js';

/** A call as a carrier holds it. */
export function toPlaced({ callId, name, arguments: text, members }: RoundToolCall): PlacedCall {
  return { callId, name, arguments: text, ...defined({ members }) };
}

export function toCarried(call: RoundToolCall, output: ToolOutput): CarriedCall {
  return { ...toPlaced(call), output };
}

/** Asks the user about calls that have been told. */
export function requestApprovals(
  asked: readonly Pick<RoundToolCall, 'callId' | 'name' | 'arguments'>[],
  seal: ApprovalSeal,
): Promise<CallPart[]> {
  return Promise.all(
    asked.map(async (call) => ({
      type: 'approval-request',
      approvalId: await seal.idOf(call),
      callId: call.callId,
    })),
  );
}

/** A call of ours that was told before, told again: generate results and repeated requests need it beside them. */
export function toLoopCallPart(call: ToldCall): CallToolCall {
  return toCallPart(call, 'loop', loopInput(call.arguments));
}

/** A call, and the round it was made in. */
type ToldCall = RoundToolCall & Pick<CallToolCall, 'inRound'>;

/** A call as the caller is told it. */
export function toCallPart(
  call: ToldCall,
  origin: 'loop' | 'client',
  input: { readonly input: string; readonly rawInput?: string },
): CallToolCall {
  const { arguments: _arguments, ...rest } = call;
  return { origin, ...rest, ...input };
}

/** `ai` 5 turns a call whose input does not parse into a call for the client, and asks the model again. */
export function loopInput(text: string): { readonly input: string; readonly rawInput?: string } {
  const parsed = parseToolArguments(text);
  if (!parsed.ok) return { input: '{}', rawInput: text };
  const input = JSON.stringify(parsed.arguments);
  return input === text ? { input } : { input, rawInput: text };
}

/** The SDK handles broken input of its own tools; only "no arguments" is spelt out for it. */
export function clientInput(text: string): { readonly input: string } {
  return { input: text.trim() === '' ? '{}' : text };
}

import type { CallToolCall, RoundToolCall } from '../core/part.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';

/** A call of ours; once more where generate results and repeated requests need it beside them. */
export function toLoopCallPart(call: PlacedRoundCall): CallToolCall {
  return toCallPart(call, 'loop', loopInput(call.arguments));
}

/** A call, and the round it was made in. */
type PlacedRoundCall = RoundToolCall & Pick<CallToolCall, 'inRound'>;

/** A call as the caller sees it. */
export function toCallPart(
  call: PlacedRoundCall,
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

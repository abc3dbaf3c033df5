import type { ToolCallContent } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';

export function toCallPart(call: ToolCallContent, origin: 'loop' | 'client'): CallToolCall {
  const { arguments: text, ...rest } = call;
  return { origin, ...rest, ...(origin === 'loop' ? loopInput(text) : { input: clientInput(call) }) };
}

/** Returns a valid JSON text, because `ai` 5 would hand a call with broken input to the client. */
export function loopInput(text: string): { readonly input: string; readonly rawInput?: string } {
  const parsed = parseToolArguments(text);
  if (!parsed.ok) return { input: '{}', rawInput: text };
  const input = JSON.stringify(parsed.arguments);
  return input === text ? { input } : { input, rawInput: text };
}

/** Returns the model's text, and `{}` for a function without arguments. The SDK handles broken input itself. */
function clientInput({ arguments: text, item }: ToolCallContent): string {
  return item === undefined && text.trim() === '' ? '{}' : text;
}

import type { ToolCallContent } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';

/** A call as the caller sees it. */
export function toCallPart(call: ToolCallContent, origin: 'loop' | 'client'): CallToolCall {
  const { arguments: text, ...rest } = call;
  return { origin, ...rest, ...(origin === 'loop' ? loopInput(text) : { input: clientInput(call) }) };
}

/** `ai` 5 turns a call whose input does not parse into a call for the client, and asks the model again. */
export function loopInput(text: string): { readonly input: string; readonly rawInput?: string } {
  const parsed = parseToolArguments(text);
  if (!parsed.ok) return { input: '{}', rawInput: text };
  const input = JSON.stringify(parsed.arguments);
  return input === text ? { input } : { input, rawInput: text };
}

/** The SDK handles broken input of its own tools; only "no arguments" of a function is spelt out for it. */
function clientInput({ arguments: text, item }: ToolCallContent): string {
  return item === undefined && text.trim() === '' ? '{}' : text;
}

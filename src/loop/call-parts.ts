import type { ToolCallContent } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { factsOf } from '../tools/tool-facts.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';

export function toCallPart(call: ToolCallContent, origin: 'loop' | 'client', tool?: LoopTool): CallToolCall {
  const { arguments: text, ...rest } = call;
  if (origin === 'client') return { origin, ...rest, input: clientInput(call) };
  return { origin, ...rest, ...loopInput(text), ...(tool && { tool: factsOf(tool.source, tool.tool) }) };
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

import type { ToolCallContent } from '../core/message.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { stableJson } from '../util/stable-json.js';

export type MadeCall = Pick<ToolCallContent, 'callId' | 'name' | 'arguments'>;

/** Stores may change the order of keys and the space between them, and may lose the model's own spelling. */
export function callAsText({ callId, name, arguments: text }: MadeCall): string {
  const parsed = parseToolArguments(text);
  return stableJson([callId, name, parsed.ok ? parsed.arguments : text]);
}

export function isSameCall(one: MadeCall, other: MadeCall): boolean {
  return one.callId === other.callId && callAsText(one) === callAsText(other);
}

import type { ToolCallContent } from '../core/message.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { stableJson } from '../util/json.js';

export type MadeCall = Pick<ToolCallContent, 'callId' | 'name' | 'arguments'>;

/** Stores may change the order of keys and the space between them, and may lose the model's own spelling. */
export function callAsText({ callId, name, arguments: text }: MadeCall): string {
  const parsed = parseToolArguments(text);
  return stableJson([callId, name, parsed.ok ? parsed.arguments : text]);
}

/** A history may repeat one call any number of times, and the first may be long: each is parsed once. */
const TEXTS = new WeakMap<MadeCall, string>();

export function isSameCall(one: MadeCall, other: MadeCall): boolean {
  return one.callId === other.callId && textOf(one) === textOf(other);
}

function textOf(call: MadeCall): string {
  const known = TEXTS.get(call);
  if (known !== undefined) return known;
  const text = callAsText(call);
  TEXTS.set(call, text);
  return text;
}

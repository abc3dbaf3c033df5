import { pairKey } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import { asString } from '../util/guards.js';
import { callKind, callOfOutput } from './kinds.js';

/** The key that a call shares with its output, under the name of the side that the item is. */
export interface PairKey {
  readonly call?: string;
  readonly output?: string;
}

/** Returns the key of a call or an output; nothing for any other item. */
export function pairOf(item: JsonObject): PairKey {
  const type = asString(item['type']) ?? '';
  const answers = type === 'function_call_output' ? 'function_call' : callOfOutput(type);
  if (answers !== undefined) return { output: pairKey(answers, item) };
  return type === 'function_call' || callKind(type) !== undefined ? { call: pairKey(type, item) } : {};
}

/** Whether a response leaves calls for the client: calls that it holds no output for, and that the server does not run. */
export function leavesCalls(items: readonly JsonObject[]): boolean {
  const outputs = new Set(items.map((item) => pairOf(item).output));
  return items.some((item) => {
    const { call } = pairOf(item);
    const kind = callKind(asString(item['type']) ?? '');
    return call !== undefined && !outputs.has(call) && kind?.runsAt(item) !== 'server';
  });
}

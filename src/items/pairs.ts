import { pairKey } from '../core/call-items.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { asString } from '../util/guards.js';
import { answeredKind, callKind, runnerOf } from './kinds.js';
import { FUNCTION_CALL, FUNCTION_OUTPUT } from './plain.js';

/** The key that a call shares with its output, under the name of the side that the item is. */
export interface PairKey {
  readonly call?: string;
  readonly output?: string;
}

/** Returns the key of a call or an output. Empty for any other item. */
export function pairOf(item: JsonObject): PairKey {
  const type = asString(item['type']) ?? '';
  const answers = type === FUNCTION_OUTPUT ? FUNCTION_CALL : answeredKind(type)?.type;
  if (answers !== undefined) return { output: pairKey(answers, item) };
  return type === FUNCTION_CALL || callKind(type) !== undefined ? { call: pairKey(type, item) } : {};
}

/** Whether a response leaves calls for the client: calls without an output that the server does not run. */
export function leavesCalls(items: readonly JsonObject[]): boolean {
  const outputs = new Set(items.map((item) => pairOf(item).output));
  return items.some((item) => {
    const { call } = pairOf(item);
    return call !== undefined && !outputs.has(call) && runnerOf(item) !== 'server';
  });
}

/** Whether items of this type answer a call of the client's. */
export function isClientsOutput(type: unknown): boolean {
  return type === FUNCTION_OUTPUT || answeredKind(asString(type) ?? '')?.output.write !== undefined;
}

/** Returns how a note replaces an output. `drop`: only whole. `undefined`: never. */
export function noteOf(type: string): 'drop' | ((item: JsonObject, note: string) => JsonValue) | undefined {
  return type === FUNCTION_OUTPUT ? (_item, note) => note : answeredKind(type)?.output.note;
}

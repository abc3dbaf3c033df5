import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NAMED_BY_USERS,
  toCamelCase,
  toSnakeCase,
} from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import { asRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import type { ShownPart } from './kind.js';

/** The members that say something. */
export function telling(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

export function pick(item: JsonObject, names: readonly string[]): JsonObject {
  return telling(Object.fromEntries(names.map((name) => [name, item[name]])));
}

export const inCamelCase =
  (...names: readonly string[]) =>
  (item: JsonObject): JsonValue =>
    toCamelCase(pick(item, names));

export const COMPLETED = { status: 'completed' };

/** The input of a part in the words of the wire. */
export function wireOf(input: unknown): JsonObject | undefined {
  // It came out of a JSON text.
  const value = asRecord(input) as JsonObject | undefined;
  return value && (toSnakeCase(value, NAMED_BY_USERS) as JsonObject);
}

/** What was done, as a member of the item. */
export const doing =
  (name: 'action' | 'operation', facts: JsonObject, item: JsonObject = {}) =>
  ({ input }: ShownPart): JsonObject | undefined => {
    const done = wireOf(input)?.[name];
    return isJsonObject(done) ? { ...item, [name]: { ...facts, ...done } } : undefined;
  };

export function textOf(output: ToolOutput): string {
  return output.content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
}

export function objectOf(json: string, fallback: JsonObject = {}): JsonObject {
  // It came out of JSON.parse, so it is JSON.
  return (asRecord(parseJson(json)) as JsonObject | undefined) ?? fallback;
}

/** What the caller returned. It writes the names of the AI SDK's tool; the API's own are taken too. */
export function returnedBy(output: ToolOutput): JsonObject {
  // An object stays one.
  return toSnakeCase(objectOf(textOf(output))) as JsonObject;
}

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NAMED_BY_USERS,
  toCamelCase,
  toSnakeCase,
} from '../core/json.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import { outputText as textOf, type ToolOutput } from '../core/message.js';
import type { Shape } from '../util/check-value.js';
import { asRecord } from '../util/guards.js';
import { isDeeperThan, parseJson } from '../util/json.js';
import type { ShownPart } from './kind.js';

export { outputText as textOf } from '../core/message.js';

/** Shapes of arguments that several tools have. */
export const texts = { listOf: 'string' } as const satisfies Shape;
export const oneOf = (...values: readonly string[]): { readonly oneOf: readonly string[] } => ({ oneOf: values });
/** Options of a container that OpenAI makes for a tool. */
export const CONTAINER = {
  fileIds: texts,
  memoryLimit: oneOf('1g', '4g', '16g', '64g'),
  networkPolicy: 'object',
} as const;

/** Drops members that are `null` or absent. */
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

/** Parses the `arguments` of an item. Text that is no object, or too deep, stays a string. */
export function argumentsOf(value: JsonValue | undefined): JsonObject {
  if (typeof value !== 'string') return {};
  const parsed = asRecord(parseJson(value));
  if (parsed === undefined || isDeeperThan(parsed, DEFAULT_LIMITS.jsonDepth)) return { arguments: value };
  // JSON.parse made it.
  return parsed as JsonObject;
}

export const COMPLETED = { status: 'completed' };

/** Returns the input of a part with the names of the wire. */
export function wireOf(input: unknown): JsonObject | undefined {
  // JSON.parse made it.
  const value = asRecord(input) as JsonObject | undefined;
  return value && (toSnakeCase(value, NAMED_BY_USERS) as JsonObject);
}

/** Reads an item whose input is one member: what the tool did. */
export const doing =
  (name: 'action' | 'operation', facts: JsonObject, item: JsonObject = {}) =>
  ({ input }: ShownPart): JsonObject | undefined => {
    const done = wireOf(input)?.[name];
    return isJsonObject(done) ? { ...item, [name]: { ...facts, ...done } } : undefined;
  };

export function objectOf(json: string, otherwise: JsonObject = {}): JsonObject {
  // JSON.parse made it.
  return (asRecord(parseJson(json)) as JsonObject | undefined) ?? otherwise;
}

/** Returns the object that the caller's tool returned, in snake case. Callers may write either spelling. */
export function returnedBy(output: ToolOutput): JsonObject {
  // An object stays an object.
  return toSnakeCase(objectOf(textOf(output))) as JsonObject;
}

/** Anything `JSON.stringify` keeps. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; `undefined` members are left out when it is written. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts API names to snake case at every level, because the AI SDK uses camel case. These are the names of members
 * and the values of `type`. The values of members named in `asTheyAre` are data, not part of the API, and stay
 * untouched.
 */
export function toSnakeCase(value: JsonValue, asTheyAre?: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => toSnakeCase(entry, asTheyAre));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined
        ? []
        : [[snakeCase(key), asTheyAre?.has(key) === true ? member : memberInSnakeCase(key, member, asTheyAre)]],
    ),
  );
}

function memberInSnakeCase(key: string, member: JsonValue, asTheyAre?: ReadonlySet<string>): JsonValue {
  const isKind = key === 'type' && typeof member === 'string' && CAMEL_CASE.test(member);
  return isKind ? snakeCase(member) : toSnakeCase(member, asTheyAre);
}

const CAMEL_CASE = /^[a-z]+(?:[A-Z][a-z]+)+$/;

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Objects whose names are not API words: the user chooses the names of environment variables. */
export const NAMED_BY_USERS: ReadonlySet<string> = new Set(['env']);

/**
 * The reverse, for values of the API: a member that is `null` is dropped. Members named in `asTheyAre` are data and
 * stay untouched.
 */
export function toCamelCase(value: JsonValue, asTheyAre?: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => toCamelCase(entry, asTheyAre));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined || member === null
        ? []
        : [[camelCase(key), asTheyAre?.has(key) === true ? member : toCamelCase(member, asTheyAre)]],
    ),
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

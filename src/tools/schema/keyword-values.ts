import type { JsonObject, JsonValue } from '../../core/json.js';
import { isAtLeast, isText } from '../../util/check.js';
import { asNumber, asRecord, asString, isRecord } from '../../util/guards.js';
import { type Schema, TYPE_NAMES } from './keywords.js';

type Reader = (value: unknown) => JsonValue | undefined;

/** Aliases of the seven types, as generators for Python, Java and OpenAPI write them. */
const TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['list', 'array'],
]);

/** Keywords that allow only certain values; `undefined` drops the keyword. Hosts refuse the schema otherwise. */
export const KEYWORD_VALUES: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['$schema', () => undefined],
  // A reference is a string and was already followed.
  ['$ref', () => undefined],
  ['type', readTypes],
  ['required', readNames],
  ['enum', readEnum],
  ...all(['title', 'description', 'format', 'pattern', '$comment', '$id', '$anchor'], asString),
  ...all(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], asNumber),
  ...all(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], (value) =>
    Number.isInteger(value) && isAtLeast(value, 0) ? Number(value) : undefined,
  ),
]);

function all(keys: readonly string[], reader: Reader): readonly (readonly [string, Reader])[] {
  return keys.map((key) => [key, reader]);
}

/** JSON null among the types is a serializer's slip; the *string* `"null"` is a type and stays. */
function readTypes(value: unknown): JsonValue | undefined {
  const types = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((type) => readType(type) ?? []);
  const distinct = [...new Set(types)];
  return distinct.length > 1 ? distinct : distinct[0];
}

/** `"any"` and the like mean nothing, and hosts refuse them (`'any' is not valid under any of the given schemas`). */
function readType(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return TYPE_NAMES.has(name) ? name : TYPE_ALIASES.get(name);
}

/** Old drafts and some generators write `required: true` in a single property. */
function readNames(value: unknown): JsonValue | undefined {
  return Array.isArray(value) ? [...new Set(value.filter(isText))] : undefined;
}

/** The schema of JSON schemas requires a list that is not empty and repeats nothing. */
function readEnum(value: unknown): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  // The document is JSON, and so are its lists.
  const byText = new Map((value as JsonValue[]).map((entry) => [JSON.stringify(entry), entry]));
  return byText.size > 0 ? [...byText.values()] : undefined;
}

/** In draft 4 `exclusiveMinimum: true` changed the meaning of `minimum`; later it is the number itself. */
export function withNumericBounds(schema: Schema): Schema {
  return withNumericBound(withNumericBound(schema, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum');
}

function withNumericBound(schema: Schema, bound: string, exclusive: string): Schema {
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const { [bound]: limit, [exclusive]: isExclusive, ...rest } = schema;
  return { ...rest, [isExclusive === true ? exclusive : bound]: limit };
}

/** Describes every required name, because Gemini and its relays refuse the schema otherwise. */
export function describeRequired(schema: JsonObject, source: Schema): JsonObject {
  const { properties, required } = schema;
  if (!isRecord(properties) || !Array.isArray(required)) return schema;
  // A closed object can require no other name, and `false` forbids a name.
  const forbidden = asRecord(source['properties']) ?? {};
  const isClosed = schema['additionalProperties'] === false;
  const isDescribed = (name: string): boolean => Object.hasOwn(properties, name);
  const names = required
    .filter(isText)
    .filter((name) => isDescribed(name) || !(isClosed || Object.hasOwn(forbidden, name)));
  const added = names.filter((name) => !isDescribed(name)).map((name) => [name, {}]);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(added) }, required: names };
}

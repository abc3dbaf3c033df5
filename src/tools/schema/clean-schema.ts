import type { JsonObject, JsonValue } from '../../core/json.js';
import { isText } from '../../util/check.js';
import { asArray, isRecord } from '../../util/guards.js';
import { describeRequired, KEYWORD_VALUES, withNumericBounds } from './keyword-values.js';
import {
  BOOLEAN_KEYWORDS,
  DEFINITIONS,
  isListOfNames,
  KEYWORD_POSITION,
  NULLABLE_KEYWORDS,
  ROOT_COMBINATORS,
  typesOf,
  type KeywordPosition,
  type Schema,
} from './keywords.js';
import { joinReference, type References } from './references.js';

/** Deeper than any schema of a person; lower levels stay open. */
const MAX_SCHEMA_DEPTH = 64;

/** The position of the walk. */
interface Place {
  readonly depth: number;
  /**
   * Set at the root or in a branch of it: the followed references. References are followed there, because branches of
   * the root are merged; elsewhere they stay.
   */
  readonly root?: readonly string[];
}

/** `clean` is for the schemas in the value. */
type Cleaner = (value: unknown, clean: (value: unknown) => JsonObject, key: string) => JsonValue | undefined;

/**
 * Copies a schema and its inner schemas in a form that hosts accept; see the steps below. Never closes an open object.
 */
export function cleanSchema(schema: unknown, references: References, place: Place): JsonObject {
  if (!isRecord(schema) || place.depth > MAX_SCHEMA_DEPTH) return {};
  references.visited += 1;
  if (typeof schema['$ref'] === 'string') return cleanReference(schema, schema['$ref'], references, place);
  const depth = place.depth + 1;
  const entries = Object.entries(withNumericBounds(schema)).flatMap(([key, value]) => {
    const inner: Place =
      place.root !== undefined && ROOT_COMBINATORS.has(key) ? { depth, root: place.root } : { depth };
    return cleanKeyword(key, value, (member) => cleanSchema(member, references, inner));
  });
  return describeRequired(addMissing(Object.fromEntries(entries)), schema);
}

function cleanReference(schema: Schema, ref: string, references: References, place: Place): JsonObject {
  const { $ref: _, ...siblings } = schema;
  const target = references.resolve(ref);
  // Hosts refuse a request with a reference that leads nowhere or out of the document.
  if (target === undefined) return cleanSchema(siblings, references, place);
  if (place.root !== undefined) {
    // A repeated root or branch of it adds nothing, and merging the branches skips it.
    if (place.root.includes(ref)) {
      return Object.keys(siblings).length === 0 ? { $ref: '#' } : cleanSchema(siblings, references, place);
    }
    if (!references.follow()) return {};
    return cleanSchema(joinReference(target, siblings), references, { ...place, root: [...place.root, ref] });
  }
  const kept: JsonObject = { $ref: references.keep(ref) };
  const beside = cleanSchema(siblings, references, place);
  // Old drafts ignore keywords next to a reference.
  const all = Array.isArray(beside['allOf']) ? beside['allOf'] : [];
  return Object.keys(beside).length === 0 ? kept : { ...beside, allOf: [kept, ...all] };
}

const BY_POSITION: Readonly<Record<KeywordPosition, Cleaner>> = {
  'schema-map': cleanMap,
  'schema-list': cleanList,
  schema: cleanOne,
};

function cleanKeyword(key: string, value: unknown, clean: (value: unknown) => JsonObject): [string, JsonValue][] {
  // Used definitions are added to the root at the end.
  if (DEFINITIONS.has(key) || (value === null && !NULLABLE_KEYWORDS.has(key))) return [];
  const position = KEYWORD_POSITION.get(key);
  if (position !== undefined && typeof value === 'boolean') return BOOLEAN_KEYWORDS.has(key) ? [[key, value]] : [];
  const cleaner: Cleaner | undefined = position === undefined ? KEYWORD_VALUES.get(key) : BY_POSITION[position];
  // A value without a cleaner is data, and JSON as in the document.
  const cleaned = cleaner === undefined ? (value as JsonValue) : cleaner(value, clean, key);
  return cleaned === undefined ? [] : [[key, cleaned]];
}

function cleanMap(value: unknown, clean: (value: unknown) => JsonObject, key: string): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  // `false` means "must not be there".
  const members = Object.entries(value).filter(([, member]) => member !== false);
  return Object.fromEntries(
    members.map(([name, member]) => [name, isListOfNames(key, member) ? member.filter(isText) : clean(member)]),
  );
}

/** An empty list of schemas is refused. */
function cleanList(value: unknown, clean: (value: unknown) => JsonObject): JsonValue | undefined {
  const schemas = Array.isArray(value) ? value.filter((member) => member !== false) : [];
  return schemas.length > 0 ? schemas.map(clean) : undefined;
}

/** `items: [a, b]` is a tuple of an old draft; hosts want one schema there. */
function cleanOne(value: unknown, clean: (value: unknown) => JsonObject): JsonObject {
  if (!Array.isArray(value)) return clean(value);
  const cleaned = value.map((schema) => clean(schema));
  return cleaned.length > 1 ? { anyOf: cleaned } : (cleaned[0] ?? {});
}

function addMissing(schema: JsonObject): JsonObject {
  const type = schema['type'] === undefined ? inferType(schema) : undefined;
  const typed: JsonObject = type === undefined ? schema : { type, ...schema };
  return typesOf(typed).includes('array') && typed['items'] === undefined ? { ...typed, items: {} } : typed;
}

function inferType(schema: JsonObject): JsonValue | undefined {
  if (isRecord(schema['properties'])) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  const values = asArray(schema['enum']);
  return values.length > 0 && values.every(isText) ? 'string' : undefined;
}

import type { JsonObject, JsonValue } from '../../core/json.js';
import { isRecord } from '../../util/guards.js';
import { BOOLEAN_KEYWORDS, KEYWORD_POSITION, NULLABLE_KEYWORDS, type KeywordPosition } from './keywords.js';
import { resolvePointer } from './pointer.js';

/** Deeper than any schema a person writes; what lies below is left open. */
const MAX_DEPTH = 64;
/** Inlining can grow a schema exponentially; past this many copies references are better left where they are. */
const MAX_INLINED = 200;

/** What the walk over one document carries along. */
export interface CleanContext {
  readonly document: unknown;
  /** `false`: references stay, apart from the one the document itself may be. Set when inlining got out of hand. */
  inline: boolean;
  inlined: number;
}

/** Where the walk is. */
interface Place {
  /** References that are being followed right now. */
  readonly open: readonly string[];
  readonly depth: number;
}

/** A copy of one schema, and of the schemas in it, that hosts take: see the steps below. Never closes an open object. */
export function cleanSchema(schema: unknown, context: CleanContext, place: Place): JsonObject {
  if (!isRecord(schema) || place.depth > MAX_DEPTH) return {};
  const ref = schema['$ref'];
  if (typeof ref === 'string') return cleanReference(schema, ref, context, place);
  const below: Place = { open: place.open, depth: place.depth + 1 };
  const clean = (value: unknown): JsonObject => cleanSchema(value, context, below);
  const entries = Object.entries(schema).flatMap(([key, value]) => cleanKeyword(key, value, clean));
  return addMissing(Object.fromEntries(entries));
}

function cleanReference(schema: Record<string, unknown>, ref: string, context: CleanContext, place: Place): JsonObject {
  const { $ref: _, ...siblings } = schema;
  const target = resolvePointer(context.document, ref);
  // A reference to nowhere, or out of the document, would get the whole request refused.
  if (!isRecord(target)) return cleanSchema(siblings, context, place);
  context.inlined += 1;
  if (context.inlined > MAX_INLINED) context.inline = false;
  if (place.open.includes(ref) || (!context.inline && place.depth > 0)) return { $ref: ref };
  return cleanSchema({ ...target, ...siblings }, context, { open: [...place.open, ref], depth: place.depth });
}

type Clean = (value: unknown) => JsonObject;
type Cleaner = (value: unknown, clean: Clean) => JsonValue | undefined;

/** Keywords of which only some values are any good; `undefined` drops the keyword. */
const CLEANERS: ReadonlyMap<string, Cleaner> = new Map<string, Cleaner>([
  ['$schema', () => undefined],
  ['type', cleanType],
  ['required', cleanRequired],
]);

const BY_POSITION: Readonly<Record<KeywordPosition, Cleaner>> = {
  'schema-map': cleanMap,
  'schema-list': (value, clean) => (Array.isArray(value) ? value.map(clean) : undefined),
  schema: (value, clean) => (Array.isArray(value) ? tupleToList(value, clean) : clean(value)),
};

function cleanKeyword(key: string, value: unknown, clean: Clean): [string, JsonValue][] {
  if (value === null && !NULLABLE_KEYWORDS.has(key)) return [];
  const cleaner = CLEANERS.get(key) ?? cleanerAt(key, value);
  // Data, and JSON because the document is.
  if (cleaner === undefined) return [[key, value as JsonValue]];
  const cleaned = cleaner(value, clean);
  return cleaned === undefined ? [] : [[key, cleaned]];
}

function cleanerAt(key: string, value: unknown): Cleaner | undefined {
  const position = KEYWORD_POSITION.get(key);
  if (position === undefined) return undefined;
  if (typeof value !== 'boolean') return BY_POSITION[position];
  return BOOLEAN_KEYWORDS.has(key) ? undefined : () => undefined;
}

/** JSON null among the types is a serialiser's slip; the *string* `"null"` is a type and stays. */
function cleanType(value: unknown): JsonValue | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const types = value.filter((type) => typeof type === 'string');
  return types.length > 1 ? types : types[0];
}

/** Old drafts and some generators write `required: true` beside a single property. */
function cleanRequired(value: unknown): JsonValue | undefined {
  return Array.isArray(value) ? [...new Set(value.filter((name) => typeof name === 'string'))] : undefined;
}

function cleanMap(value: unknown, clean: Clean): JsonObject | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      // `false` means "must not be there".
      .filter(([, member]) => member !== false)
      .map(([name, member]) => [name, clean(member)]),
  );
}

/** `items: [a, b]` is a tuple of an old draft; hosts want one schema there. */
function tupleToList(schemas: readonly unknown[], clean: Clean): JsonObject {
  const cleaned = schemas.map(clean);
  return cleaned.length > 1 ? { anyOf: cleaned } : (cleaned[0] ?? {});
}

function addMissing(schema: JsonObject): JsonObject {
  const type = schema['type'] ?? inferType(schema);
  const typed: JsonObject = type === undefined || schema['type'] !== undefined ? schema : { type, ...schema };
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return isArray && typed['items'] === undefined ? { ...typed, items: {} } : typed;
}

function inferType(schema: JsonObject): JsonValue | undefined {
  if (isRecord(schema['properties'])) return 'object';
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array';
  const values = schema['enum'];
  return Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string')
    ? 'string'
    : undefined;
}

import type { JsonObject, JsonValue } from '../../core/json.js';
import { asArray, asRecord, isRecord } from '../../util/guards.js';
import { checkArguments } from './check-arguments.js';
import { type Schema, subschemas, typesOf } from './keywords.js';
import type { NormalizedSchema } from './normalize-input-schema.js';
import { resolvePointer } from './pointer.js';

/** What strict schemas may say beside their structure (OpenAI's guide, "Supported schemas"). */
const KEPT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'type',
  'enum',
  'const',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** Keywords that strict schemas may not hold; the description states them for the model. */
const DESCRIBED: readonly string[] = ['default', 'minLength', 'maxLength', 'format', 'pattern', 'uniqueItems'];

/**
 * Keywords that cannot be left out without taking something from the tool. `not`, `if` and the like can: what they forbid is
 * the tool's own business then.
 */
const OPEN_KEYWORDS: ReadonlyMap<string, string> = new Map([
  ['patternProperties', 'takes parameters by pattern'],
  ['prefixItems', 'is a tuple'],
  ['allOf', 'is a combination of schemas (allOf)'],
]);

/** What says more than a reference; nothing may stand beside one. Words and bounds can be left out. */
const BESIDE_REFERENCE = ['properties', 'items', 'anyOf', 'oneOf', ...OPEN_KEYWORDS.keys()] as const;

/** Ends a conversion that cannot be done faithfully. */
class NotStrict extends Error {}

/**
 * A normalised input schema in the subset a server follows to the letter: every property required, those that were
 * optional nullable, every object closed, keywords outside of the subset left out (and named in the description). Fails if
 * that would take something from the tool: free-form objects and lists, tuples, `allOf`, the limits on size and depth. Says
 * the same of a schema that has this shape already: closed everywhere is not all a server asks for. The nulls it adds are
 * taken out again by `stripAddedNulls`.
 *
 * @param schema what `normalizeInputSchema` returned
 * @example
 * const strict = toStrictSchema(normalized.schema);
 * const declared = strict.ok ? { inputSchema: strict.schema, strict: true } : { inputSchema: normalized.schema, strict: false };
 */
export function toStrictSchema(schema: JsonObject): NormalizedSchema {
  try {
    const strict = convertRoot(schema);
    const limit = brokenLimit(strict);
    return limit === undefined ? { ok: true, schema: strict } : { ok: false, reason: limit };
  } catch (error) {
    if (error instanceof NotStrict) return { ok: false, reason: error.message };
    throw error;
  }
}

/** One walk: the document for references, and the path for messages. */
interface Location {
  readonly document: JsonObject;
  readonly path: string;
}

function convertRoot(document: JsonObject): JsonObject {
  // Arguments are an object, whatever OpenAPI's word says.
  const { $defs: definitions, nullable: _, ...root } = document;
  // A tool without parameters is not a free-form object.
  const isEmpty = Object.keys(asRecord(root['properties']) ?? {}).length === 0;
  const strict = convert(isEmpty ? { additionalProperties: false, ...root } : root, { document, path: '#' });
  if (!isRecord(definitions)) return strict;
  const entries = Object.entries(definitions).map(([name, inner]): [string, JsonObject] => [
    name,
    convert(inner, { document, path: `#/$defs/${name}` }),
  ]);
  return { ...strict, $defs: Object.fromEntries(entries) };
}

function convert(given: unknown, location: Location): JsonObject {
  const schema = unwrap(given);
  if (schema === undefined) throw new NotStrict(`${location.path} takes anything`);
  if (typeof schema['$ref'] === 'string') return convertReference(schema, schema['$ref'], location);
  for (const [key, what] of OPEN_KEYWORDS) if (key in schema) throw new NotStrict(`${location.path} ${what}`);
  const types = typesOf(schema);
  const result: JsonObject = {
    ...keptKeywords(schema),
    ...(types.includes('object') ? convertObject(schema, location) : {}),
    ...(types.includes('array') ? { items: convert(schema['items'], at(location, 'items')) } : {}),
    ...convertAlternatives(schema, location),
  };
  if (!saysWhat(result)) throw new NotStrict(`${location.path} takes anything`);
  return schema['nullable'] === true ? nullable(result) : result;
}

function convertReference(schema: JsonObject, ref: string, { path }: Location): JsonObject {
  if (BESIDE_REFERENCE.some((key) => key in schema)) throw new NotStrict(`${path} says more beside a reference`);
  return schema['nullable'] === true ? nullable({ $ref: ref }) : { $ref: ref };
}

function at({ document, path }: Location, step: string): Location {
  return { document, path: `${path}/${step}` };
}

/** `allOf` around one schema is how words are put beside a reference. */
function unwrap(schema: unknown): JsonObject | undefined {
  if (!isRecord(schema)) return undefined;
  // A normalised schema is JSON.
  const { allOf, ...rest } = schema as JsonObject;
  const [only, ...more] = asArray(allOf);
  const isWrapper = isRecord(only) && more.length === 0 && Object.keys(rest).every((key) => !(key in only));
  return isWrapper ? unwrap({ ...only, ...rest }) : (schema as JsonObject);
}

function convertObject(schema: JsonObject, location: Location): JsonObject {
  const properties = asRecord(schema['properties']) ?? {};
  const open = schema['additionalProperties'];
  const isFreeForm = open !== false && (open !== undefined || Object.keys(properties).length === 0);
  if (isFreeForm) throw new NotStrict(`${location.path} is a free-form object`);
  const required = asArray(schema['required']);
  const converted = Object.entries(properties).map(([name, inner]): [string, JsonObject] => {
    const strict = convert(inner, at(location, `properties/${name}`));
    const stays = required.includes(name) || checkArguments(inner, null, location.document).length === 0;
    return [name, stays ? strict : nullable(strict)];
  });
  return {
    properties: Object.fromEntries(converted),
    required: converted.map(([name]) => name),
    additionalProperties: false,
  };
}

/** `oneOf` is not in the subset; that several may fit is the tool's own business. */
function convertAlternatives(schema: JsonObject, location: Location): JsonObject {
  const groups = [asArray(schema['anyOf']), asArray(schema['oneOf'])].filter((group) => group.length > 0);
  const [branches] = groups;
  if (branches === undefined) return {};
  if (groups.length > 1) throw new NotStrict(`${location.path} has both anyOf and oneOf`);
  const anyOf = branches.map((branch, index) => convert(branch, at(location, `anyOf/${index}`)));
  const shared = sharedFirstKey({ anyOf }, location.document);
  if (shared === undefined) return { anyOf };
  throw new NotStrict(`${location.path} has alternatives that all begin with "${shared}"`);
}

function nullable(schema: JsonObject): JsonObject {
  const types = typesOf(schema) as readonly JsonValue[];
  const isPlain = types.length > 0 && !('const' in schema) && !('anyOf' in schema);
  if (!isPlain) return { anyOf: [schema, { type: 'null' }] };
  const values = schema['enum'];
  return {
    ...schema,
    type: types.includes('null') ? [...types] : [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

function keptKeywords(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key, value]) => isKept(key, value));
  const described = DESCRIBED.filter((key) => key in schema && !isKept(key, schema[key]));
  const words = described.map((key) => `${key}: ${JSON.stringify(schema[key])}`).join('; ');
  if (words === '') return Object.fromEntries(kept);
  const description = typeof schema['description'] === 'string' ? `${schema['description']} ` : '';
  return { ...Object.fromEntries(kept), description: `${description}(${words})` };
}

function isKept(key: string, value: unknown): boolean {
  if (key === 'format') return FORMATS.has(value);
  // Looking around is more than the grammar behind strict outputs can do.
  if (key === 'pattern') return typeof value === 'string' && !/\(\?<?[=!]|\\[1-9k]/.test(value);
  return KEPT.has(key);
}

type Sizes = Record<'levels' | 'properties' | 'enumValues' | 'chars', number>;

/** OpenAI's guide to structured outputs, "Supported schemas", as of February 2026; until 2025 it said 5 levels, 100 properties. */
const LIMITS: readonly (readonly [size: keyof Sizes, most: number, says: (size: number) => string])[] = [
  ['levels', 10, (levels) => `it is nested ${levels} levels deep`],
  ['properties', 5_000, (count) => `it has ${count} properties`],
  ['enumValues', 1_000, (count) => `it lists ${count} enum values`],
  // Of all property and definition names, enum and const values together.
  ['chars', 120_000, (chars) => `its names and values have ${chars} characters`],
];
/** From this many values on, one enum of strings may hold only so many characters. */
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARS = 15_000;

/** A schema that lets everything pass cannot be followed to the letter. */
function saysWhat(schema: Schema): boolean {
  return ['type', 'anyOf', 'enum', 'const', '$ref'].some((key) => Object.hasOwn(schema, key));
}

/** Which of the limits a strict schema breaks; `undefined` if none. */
function brokenLimit(schema: Schema): string | undefined {
  const sizes: Sizes = { levels: 0, properties: 0, enumValues: 0, chars: 0 };
  const problems: string[] = [];
  measure(schema, 0, sizes, problems);
  for (const [size, most, says] of LIMITS)
    if (sizes[size] > most) problems.push(`${says(sizes[size])}, ${most} are allowed`);
  return problems[0];
}

/** Whether lists count as levels is not said; here they do, so that nothing is promised that is refused. */
function measure(schema: unknown, outer: number, sizes: Sizes, problems: string[]): void {
  if (!isRecord(schema)) return;
  const types = typesOf(schema);
  const level = outer + Number(types.includes('object') || types.includes('array'));
  sizes.levels = Math.max(sizes.levels, level);
  const properties = Object.keys(asRecord(schema['properties']) ?? {});
  const names = [...properties, ...Object.keys(asRecord(schema['$defs']) ?? {})];
  sizes.properties += properties.length;
  const values = asArray(schema['enum']);
  const valueChars = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  sizes.enumValues += values.length;
  sizes.chars += names.join('').length + valueChars + ('const' in schema ? String(schema['const']).length : 0);
  if (values.length > LARGE_ENUM && valueChars > MAX_LARGE_ENUM_CHARS) {
    problems.push(
      `an enum of ${values.length} values has ${valueChars} characters, ${MAX_LARGE_ENUM_CHARS} are allowed`,
    );
  }
  for (const [step, inner] of subschemas(schema))
    measure(inner, step.startsWith('$defs/') ? 0 : level, sizes, problems);
}

/** `Objects provided via 'anyOf' must not share identical first keys`, unless their values tell them apart. */
function sharedFirstKey(schema: Schema, document: unknown): string | undefined {
  const firstKeys = asArray(schema['anyOf']).flatMap((branch) => {
    const ref = asRecord(branch)?.['$ref'];
    const target = asRecord(typeof ref === 'string' ? resolvePointer(document, ref) : branch);
    const [first] = Object.entries(asRecord(target?.['properties']) ?? {});
    if (first === undefined) return [];
    const [name, schemaOfIt] = first;
    return asArray(target?.['required']).includes(name) && isTelling(schemaOfIt) ? [] : [name];
  });
  return firstKeys.find((name, index) => firstKeys.indexOf(name) < index);
}

/** What may be null, or left out before the conversion, says nothing afterwards. */
function isTelling(schema: unknown): boolean {
  return isRecord(schema) && schema['nullable'] !== true && ('const' in schema || 'enum' in schema);
}

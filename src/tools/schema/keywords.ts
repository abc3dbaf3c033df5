import { asArray, isRecord } from '../../util/guards.js';

/** A JSON schema, or any value in its place. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * The places of JSON schemas inside a JSON schema. Everything else is data and is copied, because a parameter may have
 * the name `properties` or `type` (NousResearch/hermes-agent#110530).
 */
export type KeywordPosition = 'schema' | 'schema-list' | 'schema-map';

export const KEYWORD_POSITION: ReadonlyMap<string, KeywordPosition> = new Map<string, KeywordPosition>([
  ['items', 'schema'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['contains', 'schema'],
  ['propertyNames', 'schema'],
  ['contentSchema', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['allOf', 'schema-list'],
  ['anyOf', 'schema-list'],
  ['oneOf', 'schema-list'],
  ['prefixItems', 'schema-list'],
  ['properties', 'schema-map'],
  ['patternProperties', 'schema-map'],
  ['dependentSchemas', 'schema-map'],
  ['$defs', 'schema-map'],
  ['definitions', 'schema-map'],
  ['dependencies', 'schema-map'],
]);

/** Keywords for which JSON null is a meaningful value. */
export const NULLABLE_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'example']);

/** Keywords that allow a plain boolean instead of a schema. */
export const BOOLEAN_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
]);

/**
 * Keywords that hosts refuse next to `type: "object"` at the root (langchain-ai/langchainjs#9804), and their
 * equivalents.
 */
export const ROOT_COMBINATORS: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'enum',
  'const',
  'not',
  'if',
  'then',
  'else',
]);

export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);

/** The schemas directly inside a schema, each with the steps that lead to it. */
export function subschemas(schema: Schema): readonly (readonly [string, unknown])[] {
  return Object.entries(schema).flatMap(([key, value]): (readonly [string, unknown])[] => {
    const position = KEYWORD_POSITION.get(key);
    if (position === undefined || typeof value === 'boolean') return [];
    if (position === 'schema' && !Array.isArray(value)) return [[key, value]];
    if (!Array.isArray(value) && (position !== 'schema-map' || !isRecord(value))) return [];
    const members = Object.entries(value).filter(([, member]) => !isListOfNames(key, member));
    return members.map(([name, member]) => [`${key}/${name}`, member]);
  });
}

/** Draft 7: `dependencies` holds schemas, or names that become required. */
export function isListOfNames(key: string, member: unknown): member is readonly unknown[] {
  return key === 'dependencies' && Array.isArray(member);
}

/** Definitions anywhere are read only if a reference leads to them. */
export const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions']);

/** Returns each `$ref` that is a reference, not a parameter or data of that name; without those of definitions. */
export function referencesIn(schema: unknown): readonly string[] {
  if (!isRecord(schema)) return [];
  const own = typeof schema['$ref'] === 'string' ? [schema['$ref']] : [];
  const inner = subschemas(schema).filter(([step]) => !DEFINITIONS.has(step.split('/')[0] ?? ''));
  return [...own, ...inner.flatMap(([, member]) => referencesIn(member))];
}

/** The type names of a schema, however many; an empty list if it names no type. */
export function typesOf(schema: Schema): readonly unknown[] {
  const type = schema['type'];
  if (type === undefined) return [];
  return Array.isArray(type) ? (type as unknown[]) : [type];
}

/** Returns the schema of a list's member at an index; in old drafts `items` was the tuple. */
export function itemSchema({ items, prefixItems }: Schema, index: number): unknown {
  const first = asArray(Array.isArray(items) ? items : prefixItems);
  if (index < first.length) return first[index];
  return Array.isArray(items) ? undefined : items;
}

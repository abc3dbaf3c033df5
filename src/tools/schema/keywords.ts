/**
 * Where JSON schemas sit inside a JSON schema. Everything else is data and is copied as it is: a parameter may well be
 * called `properties` or `type` (NousResearch/hermes-agent#110530).
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
]);

/** Keywords whose value may be JSON null and mean it. */
export const NULLABLE_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'example']);

/** Keywords that may hold a plain boolean instead of a schema. */
export const BOOLEAN_KEYWORDS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
]);

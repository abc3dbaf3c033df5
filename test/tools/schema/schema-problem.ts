import {
  BOOLEAN_KEYWORDS,
  KEYWORD_POSITION,
  ROOT_COMBINATORS,
  type Schema,
  subschemas,
  TYPE_NAMES,
  typesOf,
} from '../../../src/tools/schema/keywords.js';
import { resolvePointer } from '../../../src/tools/schema/pointer.js';
import { isRecord } from '../../../src/util/guards.js';

/** Inlined definitions sit below the depth up to which a schema is cleaned. */
const MAX_DEPTH = 64 + 2;
/** Data (`default`, `enum`, …) counts in, so this is more. */
const MAX_JSON_DEPTH = 700;

type Rule = (schema: Schema, document: Schema) => string | undefined;

/**
 * What a host that checks tools would refuse in a schema, with the place; `undefined` if nothing. The rules are those the
 * failure reports name: an object with `properties` at the root, no combinator there, references that lead somewhere,
 * known types, required names that are described, and JSON throughout.
 *
 * @example
 * schemaProblem({ type: 'object' })  // '#: `properties` is missing'
 */
export function schemaProblem(schema: unknown): string | undefined {
  const json = jsonProblem(schema, '#', []);
  if (json !== undefined) return json;
  if (!isRecord(schema)) return '#: it is no object';
  return rootProblem(schema) ?? problemIn(schema, schema, '#', 0);
}

function rootProblem(schema: Schema): string | undefined {
  if (schema['type'] !== 'object') return '#: its type is not "object"';
  if (!isRecord(schema['properties'])) return '#: `properties` is missing';
  const combinator = [...ROOT_COMBINATORS, '$ref'].find((key) => Object.hasOwn(schema, key));
  return combinator === undefined ? undefined : `#: \`${combinator}\` at the root`;
}

const RULES: readonly Rule[] = [
  (schema) => {
    const types = typesOf(schema);
    const isFine = types.every((type) => typeof type === 'string' && TYPE_NAMES.has(type));
    if (!isFine || (types.length === 0 && 'type' in schema)) return `unknown type ${JSON.stringify(schema['type'])}`;
    return types.includes('array') && !('items' in schema) ? 'an array without `items`' : undefined;
  },
  ({ properties }) =>
    properties === undefined || isRecord(properties) ? undefined : '`properties` is no object of schemas',
  ({ required, properties }) => {
    if (required === undefined) return undefined;
    if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
      return '`required` is no list of names';
    }
    if (new Set(required).size < required.length) return '`required` holds a name twice';
    const unknown = isRecord(properties) ? required.find((name) => !Object.hasOwn(properties, name)) : undefined;
    return unknown === undefined ? undefined : `"${unknown}" is required but not described`;
  },
  (schema) => {
    const key = Object.keys(schema).find(
      (name) => typeof schema[name] === 'boolean' && KEYWORD_POSITION.has(name) && !BOOLEAN_KEYWORDS.has(name),
    );
    return key === undefined ? undefined : `\`${key}\` is a boolean, not a schema`;
  },
  ({ enum: values }) =>
    values === undefined || (Array.isArray(values) && values.length > 0) ? undefined : '`enum` lists nothing',
  (schema) => {
    const empty = (['anyOf', 'oneOf', 'allOf'] as const).find(
      (key) => key in schema && (!Array.isArray(schema[key]) || schema[key].length === 0),
    );
    return empty === undefined ? undefined : `\`${empty}\` lists nothing`;
  },
  ({ $ref: ref }, document) => {
    if (ref === undefined) return undefined;
    if (typeof ref !== 'string') return '`$ref` is no text';
    return isRecord(resolvePointer(document, ref)) ? undefined : `the reference ${ref} leads nowhere`;
  },
];

function problemIn(schema: unknown, document: Schema, path: string, depth: number): string | undefined {
  if (!isRecord(schema)) return `${path}: it is no schema`;
  if (depth > MAX_DEPTH) return `${path}: nested more than ${MAX_DEPTH} levels deep`;
  for (const rule of RULES) {
    const problem = rule(schema, document);
    if (problem !== undefined) return `${path}: ${problem}`;
  }
  for (const [step, inner] of subschemas(schema)) {
    const problem = problemIn(inner, document, `${path}/${step}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function jsonProblem(value: unknown, path: string, enclosing: readonly unknown[]): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path}: ${value} is not JSON`;
  if (typeof value !== 'object') return `${path}: a ${typeof value} is not JSON`;
  if (enclosing.includes(value)) return `${path}: it holds itself`;
  if (enclosing.length > MAX_JSON_DEPTH) return `${path.slice(0, 80)}…: nested too deep`;
  const inside = [...enclosing, value];
  for (const [key, member] of Object.entries(value)) {
    const problem = jsonProblem(member, `${path}/${key}`, inside);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

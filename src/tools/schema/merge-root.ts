import type { JsonObject, JsonValue } from '../../core/json.js';
import { asArray, asRecord, isRecord } from '../../util/guards.js';
import { defined } from '../../util/defined.js';
import { describeRequired } from './keyword-values.js';
import { ROOT_COMBINATORS, type Schema, typesOf } from './keywords.js';

/**
 * Hosts want a plain object at the root (makenotion/notion-mcp-server#102). What is in all branches of a combinator stays
 * required; what is in one stays possible; which ones belong together is said in the description.
 */
export function mergeRoot(schema: JsonObject): JsonObject {
  const all = branches(schema['allOf']);
  const alternatives = [branches(schema['anyOf']), branches(schema['oneOf'])].filter((group) => group.length > 0);
  const conditional = [schema['then'], schema['else']].filter(isObject).map(mergeRoot);
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !ROOT_COMBINATORS.has(key)));
  const parts = [rest, ...all, ...alternatives.flat(), ...conditional];
  const properties = { ...namesOnly(schema['if']), ...mergeProperties(parts) };
  const required = [
    ...new Set([
      ...requiredOf(rest),
      ...all.flatMap(requiredOf),
      ...alternatives.flatMap((group) => intersection(group.map(requiredOf))),
    ]),
  ];
  const description = describeAlternatives(rest['description'], alternatives);
  const merged = { ...rest, ...defined({ description }), type: 'object', properties, required };
  const { required: described, ...open } = describeRequired(merged, {});
  return asArray(described).length > 0 ? { ...open, ...defined({ required: described }) } : open;
}

/** What a condition asks about is a parameter, but what it asks is not what may be sent. */
function namesOnly(condition: JsonValue | undefined): JsonObject {
  const properties = isObject(condition) ? asRecord(mergeRoot(condition)['properties']) : undefined;
  return Object.fromEntries(Object.keys(properties ?? {}).map((name) => [name, {}]));
}

function branches(value: JsonValue | undefined): readonly JsonObject[] {
  const objects = asArray(value).filter(isObject).filter(mayBeObject);
  // A branch that is still a reference is the root once more.
  return objects.filter((branch) => branch['$ref'] === undefined).map(mergeRoot);
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** A branch that is a string or null cannot be the arguments of a call. */
export function mayBeObject(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object');
}

function mergeProperties(parts: readonly JsonObject[]): JsonObject {
  const seen = new Map<string, JsonValue[]>();
  for (const part of parts) {
    const { properties } = part;
    for (const [name, schema = {}] of isObject(properties) ? Object.entries(properties) : []) {
      const known = seen.get(name) ?? [];
      if (!known.some((other) => JSON.stringify(other) === JSON.stringify(schema))) known.push(schema);
      seen.set(name, known);
    }
  }
  return Object.fromEntries(
    [...seen].map(([name, schemas]) => [name, schemas.length > 1 ? { anyOf: [...schemas] } : (schemas[0] ?? {})]),
  );
}

function requiredOf(schema: JsonObject): readonly string[] {
  return asArray(schema['required']).filter((name) => typeof name === 'string');
}

function intersection(groups: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = groups;
  return first.filter((name) => others.every((other) => other.includes(name)));
}

function describeAlternatives(
  own: JsonValue | undefined,
  groups: readonly (readonly JsonObject[])[],
): string | undefined {
  const base = typeof own === 'string' ? own : undefined;
  const sentences = groups
    .filter((group) => group.length > 1)
    .map((group) => `Arguments that belong together: ${group.map(describeBranch).join(' or ')}.`);
  const text = [base, ...sentences].filter((part) => part !== undefined).join('\n');
  return text === '' ? undefined : text;
}

function describeBranch(branch: JsonObject): string {
  const names = Object.keys(asRecord(branch['properties']) ?? {});
  const required = new Set(requiredOf(branch));
  return `{ ${names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ')} }`;
}

import type { JsonObject, JsonValue } from '../../core/json.js';
import { errorText } from '../../util/error-text.js';
import { asArray, isRecord, asRecord } from '../../util/guards.js';
import { cleanSchema } from './clean-schema.js';
import { referencesIn, ROOT_COMBINATORS, type Schema, typesOf } from './keywords.js';
import { References } from './references.js';
import { defined } from '../../util/defined.js';
import { describeRequired } from './keyword-values.js';

export type NormalizedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  /** `reason` continues a sentence: "left out: its input schema …". */
  | { readonly ok: false; readonly reason: string };

/**
 * Returns a tool's input schema in the form that hosts accept: an object with `properties` at the root, no combinators
 * there, valid references to `$defs` only, all JSON. Open objects stay open. No parameter is lost, except one that only
 * a `not` or a branch for another type mentions. The result follows the known rules of hosts. A second run changes
 * nothing. Fails if the arguments cannot be an object, and beyond twice `maxChars` of JSON.
 */
export function normalizeInputSchema(schema: unknown, maxChars = Number.POSITIVE_INFINITY): NormalizedSchema {
  if (schema === undefined || schema === null || schema === true)
    return { ok: true, schema: { type: 'object', properties: {} } };
  if (!isRecord(schema)) return fail(`is ${Array.isArray(schema) ? 'an array' : `a ${typeof schema}`}`);
  try {
    const plain = plainJson(schema);
    if (!isRecord(plain)) return fail('is too large, or contains itself');
    const normalized = normalize(withoutItself(plain));
    const isTooLong = normalized.ok && JSON.stringify(normalized.schema).length > 2 * maxChars;
    return isTooLong ? fail('grows too long when it is mended') : normalized;
  } catch (error) {
    return fail(`cannot be read: ${errorText(error)}`);
  }
}

function normalize(document: Record<string, unknown>): NormalizedSchema {
  const references = new References(document);
  const cleaned = cleanSchema(document, references, { depth: 0, root: ['#'] });
  if (references.areTooMany) return fail('has too many alternatives at its root to be merged into one');
  const flat = cleaned['$ref'] === undefined ? cleaned : {};
  if (!mayBeObject(flat)) return fail(`is of type ${JSON.stringify(flat['type'])}, but arguments are an object`);
  if (hasOnlyForeignBranches(flat)) return { ok: false, reason: 'no branch of its input schema is an object' };
  return { ok: true, schema: withDefinitions(mergeRoot(flat), references) };
}

/** Adds the definitions that references need, all under `$defs`. */
function withDefinitions(result: JsonObject, references: References): JsonObject {
  const definitions = new Map<string, JsonObject>();
  const open = [...referencesIn(result)].toReversed();
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const name = ref.slice('#/$defs/'.length);
    const source = references.sourceOf(ref);
    if (source === undefined || definitions.has(name)) continue;
    const definition = cleanSchema(source, references, { depth: 1 });
    definitions.set(name, definition);
    open.push(...referencesIn(definition));
  }
  return definitions.size === 0 ? result : { ...result, $defs: Object.fromEntries(definitions) };
}

/** A reference of the root to itself has no meaning, and would make every other reference to it endless. */
function withoutItself(document: Record<string, unknown>): Record<string, unknown> {
  const { $ref: ref, ...rest } = document;
  return ref === '#' ? rest : document;
}

function fail(reason: string): NormalizedSchema {
  return { ok: false, reason: `its input schema ${reason}` };
}

function hasOnlyForeignBranches(schema: JsonObject): boolean {
  return (['anyOf', 'oneOf'] as const).some((key) => {
    const list = asArray(schema[key]);
    return list.length > 0 && !list.some((branch) => isRecord(branch) && mayBeObject(branch));
  });
}

/** More objects and lists than any schema of a person, because copies of shared objects can grow without end. */
const MAX_NODES = 100_000;
/** Deeper than `cleanSchema` reads; lower levels are dropped. */
const MAX_DEPTH = 500;

/**
 * Returns a copy in pure JSON, because schemas in a program may contain `undefined`, functions, dates, or themselves.
 * It omits values without a form in JSON; it stays open at a circular object. `undefined` if it has no end.
 *
 * @throws the error of a getter of the value
 */
function plainJson(value: unknown): JsonValue | undefined {
  const budget = { left: MAX_NODES };
  const plain = copy(value, budget, []);
  return budget.left < 0 ? undefined : plain;
}

function copy(value: unknown, budget: { left: number }, enclosing: readonly object[]): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return scalar(value);
  budget.left -= 1;
  if (budget.left < 0 || enclosing.length > MAX_DEPTH) return undefined;
  if (enclosing.includes(value)) return Array.isArray(value) ? [] : {};
  const inside = [...enclosing, value];
  if (Array.isArray(value)) {
    return value.map((member) => copy(member, budget, inside)).filter((member) => member !== undefined);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), budget, inside);
  const members = Object.entries(value).map(([key, member]): [string, JsonValue | undefined] => [
    key,
    copy(member, budget, inside),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function scalar(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Hosts want a plain object at the root (makenotion/notion-mcp-server#102). A name in all branches of a combinator
 * stays required; a name in one stays possible; the description lists the combinations.
 */
function mergeRoot(schema: JsonObject): JsonObject {
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

/** A condition names parameters, but does not restrict their values. */
function namesOnly(condition: JsonValue | undefined): JsonObject {
  const properties = isObject(condition) ? asRecord(mergeRoot(condition)['properties']) : undefined;
  return Object.fromEntries(Object.keys(properties ?? {}).map((name) => [name, {}]));
}

function branches(value: JsonValue | undefined): readonly JsonObject[] {
  const objects = asArray(value).filter(isObject).filter(mayBeObject);
  // A branch that is still a reference repeats the root.
  return objects.filter((branch) => branch['$ref'] === undefined).map(mergeRoot);
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** A branch that is a string or null cannot be the arguments of a call. */
function mayBeObject(schema: Schema): boolean {
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

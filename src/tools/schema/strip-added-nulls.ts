import type { JsonValue } from '../../core/json.js';
import type { ToolArguments } from '../../core/tool.js';
import { asArray, asRecord, isRecord } from '../../util/guards.js';
import { ArgumentCheck } from './check-arguments.js';
import { itemSchema, type Schema } from './keywords.js';
import { resolvePointer } from './pointer.js';

/**
 * The arguments without the nulls that stand for "left out": a strict schema makes the model send something for every
 * parameter, and a tool that has optional ones need not know null. A null stays if the schema itself allows it, and
 * if the parameter is required.
 *
 * @param schema the schema before `toStrictSchema`
 * @example
 * stripAddedNulls({ a: 1, b: null }, { type: 'object', properties: { a: {}, b: { type: 'string' } } })  // { a: 1 }
 */
export function stripAddedNulls(args: ToolArguments, schema: unknown): ToolArguments {
  const stripped = strip(args, schema, { document: schema, check: new ArgumentCheck(schema), known: new Map() });
  // An object stays one: members are left out, nothing else.
  return stripped as ToolArguments;
}

interface Context {
  readonly document: unknown;
  readonly check: ArgumentCheck;
  /** What became of a value under a schema, so that alternatives in alternatives do not multiply. */
  readonly known: Map<Schema, Map<JsonValue, JsonValue>>;
}

/** The same object if nothing is taken out of it. */
function strip(value: JsonValue, schema: unknown, context: Context): JsonValue {
  if (typeof value !== 'object' || value === null || !isRecord(schema)) return value;
  const results = context.known.get(schema) ?? new Map<JsonValue, JsonValue>();
  context.known.set(schema, results);
  const known = results.get(value);
  if (known !== undefined) return known;
  // A schema that refers to itself for the same value has nothing to add.
  results.set(value, value);
  const own = Array.isArray(value) ? stripItems(value, schema, context) : stripMembers(value, schema, context);
  const { $ref: ref, allOf } = schema;
  const referred = typeof ref === 'string' ? resolvePointer(context.document, ref) : undefined;
  const all = [referred, ...asArray(allOf)].reduce<JsonValue>((left, inner) => strip(left, inner, context), own);
  const result = stripAlternatives(all, schema, context);
  results.set(value, result);
  return result;
}

function stripItems(values: readonly JsonValue[], schema: Schema, context: Context): JsonValue {
  const stripped = values.map((value, index) => strip(value, itemSchema(schema, index), context));
  return stripped.every((value, index) => value === values[index]) ? (values as JsonValue) : stripped;
}

function stripMembers(value: object, schema: Schema, context: Context): JsonValue {
  const properties = asRecord(schema['properties']) ?? {};
  const required = new Set(asArray(schema['required']));
  const members = Object.entries(value) as [string, JsonValue][];
  const stripped = members.flatMap(([name, member]): [string, JsonValue][] => {
    const isKnown = Object.hasOwn(properties, name);
    const isAdded =
      member === null && isKnown && !required.has(name) && context.check.issues(properties[name], null).length > 0;
    const inner = isKnown ? properties[name] : schema['additionalProperties'];
    return isAdded ? [] : [[name, strip(member, inner, context)]];
  });
  const isSame = stripped.length === members.length && stripped.every(([, member], at) => member === members[at]?.[1]);
  return isSame ? (value as JsonValue) : Object.fromEntries(stripped);
}

/** The alternative that the value fits once its own nulls are out; if none does, the value is passed on as it is. */
function stripAlternatives(value: JsonValue, { anyOf, oneOf }: Schema, context: Context): JsonValue {
  for (const inner of [...asArray(anyOf), ...asArray(oneOf)]) {
    const stripped = strip(value, inner, context);
    if (context.check.issues(inner, stripped).length === 0) return stripped;
  }
  return value;
}

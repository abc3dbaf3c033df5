import type { JsonValue } from '../../core/json.js';
import type { ToolArguments } from '../../core/tool.js';
import { asArray, isRecord } from '../../util/guards.js';
import { checkArguments } from './check-arguments.js';
import { resolvePointer } from './pointer.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The arguments without the nulls that stand for "left out": a strict schema makes the model send something for every
 * parameter, and a tool that has optional ones need not know null. A null stays where the schema itself allows it, and
 * where the parameter is required.
 *
 * @param schema the schema before `toStrictSchema`
 * @example
 * stripAddedNulls({ a: 1, b: null }, { type: 'object', properties: { a: {}, b: { type: 'string' } } })  // { a: 1 }
 */
export function stripAddedNulls(args: ToolArguments, schema: unknown): ToolArguments {
  const stripped = strip(args, schema, { document: schema, open: [] });
  // An object stays one: members are left out, nothing else.
  return stripped as ToolArguments;
}

interface Context {
  readonly document: unknown;
  /** References being followed at this very value. */
  readonly open: readonly string[];
}

function strip(value: JsonValue, schema: unknown, context: Context): JsonValue {
  if (typeof value !== 'object' || value === null || !isRecord(schema)) return value;
  const below = { document: context.document, open: [] };
  const own = Array.isArray(value) ? stripItems(value, schema, below) : stripMembers(value, schema, below);
  return stripAlternatives(stripAll(followed(own, schema, context), schema, context), schema, context);
}

function stripItems(values: readonly JsonValue[], { items, prefixItems }: Schema, context: Context): JsonValue[] {
  const first = asArray(Array.isArray(items) ? items : prefixItems);
  const rest = Array.isArray(items) ? undefined : items;
  return values.map((value, index) => strip(value, index < first.length ? first[index] : rest, context));
}

function stripMembers(value: object, schema: Schema, context: Context): JsonValue {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = asArray(schema['required']);
  const schemaOf = (name: string): unknown =>
    Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
  const isAdded = (name: string, member: unknown): boolean =>
    member === null &&
    Object.hasOwn(properties, name) &&
    !required.includes(name) &&
    checkArguments(properties[name], null, context.document).length > 0;
  const members = (Object.entries(value) as [string, JsonValue][]).filter(([name, member]) => !isAdded(name, member));
  return Object.fromEntries(members.map(([name, member]) => [name, strip(member, schemaOf(name), context)]));
}

function followed(value: JsonValue, { $ref: ref }: Schema, context: Context): JsonValue {
  if (typeof ref !== 'string' || context.open.includes(ref)) return value;
  return strip(value, resolvePointer(context.document, ref), { ...context, open: [...context.open, ref] });
}

function stripAll(value: JsonValue, { allOf }: Schema, context: Context): JsonValue {
  return asArray(allOf).reduce<JsonValue>((current, inner) => strip(current, inner, context), value);
}

/** The alternative that the value fits once its own nulls are out; where none does, the value is somebody else's problem. */
function stripAlternatives(value: JsonValue, { anyOf, oneOf }: Schema, context: Context): JsonValue {
  for (const inner of [...asArray(anyOf), ...asArray(oneOf)]) {
    const stripped = strip(value, inner, context);
    if (checkArguments(inner, stripped, context.document).length === 0) return stripped;
  }
  return value;
}

import { resolvePointer } from '../../tools/schema/pointer.js';
import { asArray, asRecord, asString, isRecord } from '../../util/guards.js';

/** An argument of a tool, in words. */
export interface Parameter {
  readonly name: string;
  /** `text`, `a whole number`, `"asc" or "desc"`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** JSON. */
  readonly fallback: string | undefined;
  readonly schema: unknown;
}

/** Levels of lists and alternatives that are put into words. */
const MOST_LEVELS = 4;
/** Values that are listed. */
const MOST_VALUES = 12;

/** Returns the arguments that a schema describes, required ones first. */
export function parametersOf(schema: unknown): readonly Parameter[] {
  const { properties, required } = asRecord(schema) ?? {};
  const needed = new Set(asArray(required));
  const parameters = Object.entries(asRecord(properties) ?? {}).map(([name, own]): Parameter => {
    const { description, default: fallback } = { ...asRecord(resolved(own, schema)), ...asRecord(own) };
    return {
      name,
      type: typeOf(own, schema, MOST_LEVELS),
      isRequired: needed.has(name),
      description: asString(description)?.trim(),
      fallback: fallback === undefined ? undefined : JSON.stringify(fallback),
      schema: own,
    };
  });
  return [...parameters.filter(({ isRequired }) => isRequired), ...parameters.filter(({ isRequired }) => !isRequired)];
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  null: 'null',
};

function typeOf(schema: unknown, document: unknown, levels: number): string {
  const known = asRecord(resolved(schema, document));
  if (known === undefined || levels === 0) return 'anything';
  const { type, enum: values, const: value, items, anyOf, oneOf } = known;
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return either(values.map((one) => JSON.stringify(one)));
  const alternatives = asArray(anyOf ?? oneOf);
  if (alternatives.length > 0) return either(alternatives.map((one) => typeOf(one, document, levels - 1)));
  const types = asArray(typeof type === 'string' ? [type] : type);
  if (types.length === 0) return isRecord(known['properties']) ? 'an object' : 'anything';
  return either(
    types.map((one) => {
      if (one === 'array')
        return isRecord(items) ? `a list (each item: ${typeOf(items, document, levels - 1)})` : 'a list';
      return WORDS[String(one)] ?? String(one);
    }),
  );
}

function either(words: readonly string[]): string {
  const all = [...new Set(words)];
  if (all.length > MOST_VALUES) return `${all.slice(0, MOST_VALUES).join(', ')} or ${all.length - MOST_VALUES} others`;
  const last = all.at(-1) ?? 'nothing';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} or ${last}`;
}

/** Follows references within the schema. */
function resolved(schema: unknown, document: unknown): unknown {
  const reference = asRecord(schema)?.['$ref'];
  return typeof reference === 'string' ? resolvePointer(document, reference) : schema;
}

/** Returns an argument on one line, without its description. */
export function parameterLine({ name, type, isRequired, fallback }: Parameter): string {
  const rest = [type, isRequired ? 'required' : '', fallback === undefined ? '' : `default ${fallback}`];
  return `${name}: ${rest.filter((word) => word !== '').join(', ')}`;
}

import { asArray, asRecord, isRecord } from '../../util/guards.js';
import { type Schema, subschemas, typesOf } from './keywords.js';
import { resolvePointer } from './pointer.js';

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
export function saysWhat(schema: Schema): boolean {
  return ['type', 'anyOf', 'enum', 'const', '$ref'].some((key) => Object.hasOwn(schema, key));
}

/** Which of the limits a strict schema breaks; `undefined` if none. */
export function brokenLimit(schema: Schema): string | undefined {
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
export function sharedFirstKey(schema: Schema, document: unknown): string | undefined {
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

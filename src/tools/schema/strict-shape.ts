import { asArray, isRecord } from '../../util/guards.js';
import { subschemas, typesOf } from './keywords.js';
import { resolvePointer } from './pointer.js';

type Schema = Readonly<Record<string, unknown>>;

/** OpenAI's guide to structured outputs, "Supported schemas", as of February 2026; until 2025 it said 5 levels, 100 properties. */
const MAX_LEVELS = 10;
const MAX_PROPERTIES = 5_000;
/** Of all property and definition names, enum and const values together. */
const MAX_NAME_CHARS = 120_000;
const MAX_ENUM_VALUES = 1_000;
/** From this many values on, one enum of strings may hold only so many characters. */
const LARGE_ENUM = 250;
const MAX_LARGE_ENUM_CHARS = 15_000;

/** A schema that lets everything pass cannot be followed to the letter. */
export function saysWhat(schema: Schema): boolean {
  return ['type', 'anyOf', 'enum', 'const', '$ref'].some((key) => Object.hasOwn(schema, key));
}

/** Which of the limits a strict schema breaks; `undefined` if none. */
export function brokenLimit(schema: Schema): string | undefined {
  const sizes = { properties: 0, chars: 0, enumValues: 0, levels: 0 };
  const problems: string[] = [];
  measure(schema, 0, sizes, problems);
  if (sizes.levels > MAX_LEVELS) problems.push(`it is nested ${sizes.levels} levels deep, ${MAX_LEVELS} are allowed`);
  if (sizes.properties > MAX_PROPERTIES)
    problems.push(`it has ${sizes.properties} properties, ${MAX_PROPERTIES} are allowed`);
  if (sizes.enumValues > MAX_ENUM_VALUES)
    problems.push(`it lists ${sizes.enumValues} enum values, ${MAX_ENUM_VALUES} are allowed`);
  if (sizes.chars > MAX_NAME_CHARS)
    problems.push(`its names and values have ${sizes.chars} characters, ${MAX_NAME_CHARS} are allowed`);
  return problems[0];
}

interface Sizes {
  properties: number;
  chars: number;
  enumValues: number;
  levels: number;
}

/** Whether lists count as levels is not said; here they do, so that nothing is promised that is refused. */
function measure(schema: unknown, outer: number, sizes: Sizes, problems: string[]): void {
  if (!isRecord(schema)) return;
  const types = typesOf(schema);
  const level = outer + Number(types.includes('object') || types.includes('array'));
  sizes.levels = Math.max(sizes.levels, level);
  const names = ['properties', '$defs'].flatMap((key) => Object.keys(isRecord(schema[key]) ? schema[key] : {}));
  sizes.properties += Object.keys(isRecord(schema['properties']) ? schema['properties'] : {}).length;
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
    const target =
      isRecord(branch) && typeof branch['$ref'] === 'string' ? resolvePointer(document, branch['$ref']) : branch;
    const properties = isRecord(target) && isRecord(target['properties']) ? target['properties'] : {};
    const [name] = Object.keys(properties);
    const first = name === undefined ? undefined : properties[name];
    return name === undefined || (isRequired(target, name) && isTelling(first)) ? [] : [name];
  });
  return firstKeys.find((name, index) => firstKeys.indexOf(name) < index);
}

/** What may be null, or left out before the conversion, says nothing afterwards. */
function isTelling(schema: unknown): boolean {
  return isRecord(schema) && schema['nullable'] !== true && ('const' in schema || 'enum' in schema);
}

function isRequired(schema: unknown, name: string): boolean {
  return isRecord(schema) && asArray(schema['required']).includes(name);
}

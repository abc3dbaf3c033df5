import { asArray, isRecord } from '../../util/guards.js';
import { type Schema, typesOf } from './keywords.js';

/** Returns the faults of a value itself, without its members. */
export function messagesFor(schema: Schema, value: unknown, patterns: Patterns): readonly string[] {
  return CHECKS.flatMap((find) => find(schema, value, patterns) ?? []);
}

type FindMessages = (schema: Schema, value: unknown, patterns: Patterns) => readonly string[] | string | undefined;

const CHECKS: readonly FindMessages[] = [
  (schema, value) => {
    const types = typesOf(schema);
    const isFine = types.length === 0 || types.some((type) => isOfType(value, type));
    return isFine
      ? undefined
      : `must be ${types.map((type) => article(String(type))).join(' or ')}, not ${kindOf(value)}`;
  },
  ({ enum: values }, value) =>
    !Array.isArray(values) || values.some((allowed) => isSame(allowed, value))
      ? undefined
      : `must be one of ${short(values.map((allowed) => JSON.stringify(allowed)).join(', '))}`,
  (schema, value) =>
    !Object.hasOwn(schema, 'const') || isSame(schema['const'], value)
      ? undefined
      : `must be ${short(JSON.stringify(schema['const']) ?? '')}`,
  ({ required }, value) =>
    isRecord(value)
      ? asArray(required).flatMap((name) =>
          typeof name === 'string' && !Object.hasOwn(value, name) ? [`needs "${name}"`] : [],
        )
      : undefined,
  ({ minimum }, value) => limit(value, minimum, (number, least) => number < least, 'must be at least'),
  ({ maximum }, value) => limit(value, maximum, (number, most) => number > most, 'must be at most'),
  ({ minLength }, value) =>
    limit(lengthOf(value, minLength), minLength, (length, least) => length < least, 'needs a length of at least'),
  ({ maxLength }, value) =>
    limit(lengthOf(value, maxLength), maxLength, (length, most) => length > most, 'may have a length of at most'),
  ({ pattern }, value, patterns) =>
    typeof pattern === 'string' && typeof value === 'string'
      ? patternProblem(patterns.fits(pattern, value), pattern)
      : undefined,
];

function patternProblem(fits: PatternAnswer, pattern: string): string | undefined {
  if (fits === 'too long')
    return `is too long to check: it must match ${pattern}, and may have ${MAX_PATTERN_TEXT} characters`;
  return fits === false ? `must match ${pattern}` : undefined;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isRecord(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  // Every value fits an unknown type.
  return type === 'string' || type === 'number' || type === 'boolean' ? typeof value === type : true;
}

function limit(
  value: unknown,
  bound: unknown,
  isBeyond: (value: number, bound: number) => boolean,
  words: string,
): string | undefined {
  if (typeof value !== 'number' || typeof bound !== 'number') return undefined;
  return isBeyond(value, bound) ? `${words} ${bound}` : undefined;
}

/** In characters, as JSON schema counts them, not in UTF-16 units. */
function lengthOf(value: unknown, bound: unknown): number | undefined {
  return typeof value === 'string' && bound !== undefined ? [...value].length : undefined;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((member, i) => isSame(member, b[i]))
    );
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return article(Array.isArray(value) ? 'array' : typeof value);
}

function article(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/**
 * The most characters that a pattern is tested on. The developer writes the pattern but not the text, and with some
 * patterns time grows with its square, or worse.
 */
const MAX_PATTERN_TEXT = 10_000;

/** `undefined`: the pattern is invalid here. */
type PatternAnswer = boolean | 'too long' | undefined;

/** Patterns of a schema, compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, RegExp | undefined>();

  fits(pattern: string, text: string): PatternAnswer {
    if (!this.#compiled.has(pattern)) this.#compiled.set(pattern, compile(pattern));
    const compiled = this.#compiled.get(pattern);
    if (compiled === undefined) return undefined;
    return text.length > MAX_PATTERN_TEXT ? 'too long' : compiled.test(text);
  }
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

import { excerpt } from '../../util/excerpt.js';
import { isRecord } from '../../util/guards.js';

/** Says what is wrong with a value, in a sentence that begins with its place; nothing where it will do. */
export type Check = (value: unknown, place: string) => string | undefined;

/** The members of an object, by name. */
export type Members = Readonly<Record<string, Check>>;

const MAX_CHARS = 60;

export function must(isGood: (value: unknown) => boolean, be: string): Check {
  return (value, place) => (isGood(value) ? undefined : `${place} is ${written(value)}, but must be ${be}.`);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isPromise(value: unknown): boolean {
  return isRecord(value) && typeof value['then'] === 'function';
}

export const aText = must(isText, 'a text');
export const aNumber = must((value) => typeof value === 'number', 'a number');
export const aBoolean = must((value) => typeof value === 'boolean', 'true or false');
export const aFunction = must((value) => typeof value === 'function', 'a function');
export const anObject = must(isRecord, 'an object');

export function oneOf(...values: readonly string[]): Check {
  return must((value) => isText(value) && values.includes(value), `one of ${values.join(', ')}`);
}

/** May be absent, and `undefined`, which is the same to whoever passes options on. */
export function optional(check: Check): Check {
  return (value, place) => (value === undefined ? undefined : check(value, place));
}

export function listOf(check: Check): Check {
  return (value, place) =>
    Array.isArray(value)
      ? first(value, (member: unknown, at) => check(member, `${place}[${at}]`))
      : must(() => false, 'a list')(value, place);
}

/** An object with these members and no others: one too many is a slip, and would say nothing. */
export function objectOf(members: Members): Check {
  const names = Object.keys(members);
  return (value, place) => {
    if (!isRecord(value)) return anObject(value, place);
    const unknown = Object.keys(value).find((name) => !names.includes(name));
    if (unknown !== undefined) return `${place} has "${unknown}", which is none of ${names.join(', ')}.`;
    return first(names, (name) => members[name]?.(value[name], `${place}.${name}`));
  };
}

function first<T>(values: readonly T[], check: (value: T, at: number) => string | undefined): string | undefined {
  for (const [at, value] of values.entries()) {
    const problem = check(value, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function written(value: unknown): string {
  const text = jsonText(value);
  if (text !== undefined) return excerpt(text, MAX_CHARS);
  if (value === undefined) return 'undefined';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Nothing for what is no JSON. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

import { excerpt } from '../util/excerpt.js';
import { isRecord } from '../util/guards.js';

/** Returns a sentence about the fault of a value that begins with its place; `undefined` if the value is right. */
export type Check = (value: unknown, place: string) => string | undefined;

/** The members of an object, by name. */
export type Members = Readonly<Record<string, Check>>;

const MAX_CHARS = 60;

export function must(isGood: (value: unknown) => boolean, be: string): Check {
  return (value, place) => (isGood(value) ? undefined : `${place} is ${written(value)}, but must be ${be}.`);
}

function written(value: unknown): string {
  const text = jsonText(value);
  if (text !== undefined) return excerpt(text, MAX_CHARS);
  return value === undefined ? 'undefined' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** Returns `undefined` for what is no JSON. */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): boolean => typeof value === 'number';
export const isPromise = (value: unknown): boolean => isRecord(value) && typeof value['then'] === 'function';

/** For a member that is checked elsewhere. */
export const anything: Check = () => undefined;
export const aText = must(isText, 'a text');
export const aNumber = must(isNumber, 'a number');
export const aBoolean = must((value) => typeof value === 'boolean', 'true or false');
export const aFunction = must((value) => typeof value === 'function', 'a function');
export const anObject = must(isRecord, 'an object');

export const oneOf = (...values: readonly string[]): Check =>
  must((value) => isText(value) && values.includes(value), `one of ${values.join(', ')}`);

/** Allows an absent member and `undefined`, which code that passes options on treats alike. */
export const optional =
  (check: Check): Check =>
  (value, place) =>
    value === undefined ? undefined : check(value, place);

export const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value)
      ? firstOf(value.map((member: unknown, at) => () => check(member, `${place}[${at}]`)))
      : must(() => false, 'a list')(value, place);

/** An object with these members and no others, because an unknown member is a slip without effect. */
export const objectOf =
  (members: Members): Check =>
  (value, place) => {
    if (!isRecord(value)) return anObject(value, place);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined) return `${place} has "${unknown}", which is none of ${Object.keys(members).join(', ')}.`;
    return firstOf(
      Object.entries(members).map(
        ([name, check]) =>
          () =>
            check(value[name], `${place}.${name}`),
      ),
    );
  };

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @throws TypeError with the fault, if there is one. */
export function throwIf(problem: string | undefined): void {
  if (problem !== undefined) throw new TypeError(problem);
}

/**
 * Refuses an option that the function does not know, and values that it cannot use: a slip would be without effect.
 *
 * @throws TypeError with the called function, the option, and what belongs there.
 */
export function checkOptions(caller: string, options: unknown, members: Members): void {
  throwIf(objectOf(members)(options, `${caller}: options`));
}

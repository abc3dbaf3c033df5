import { isRecord, rowOf } from '../util/guards.js';
import { isJsonWithin } from '../util/json.js';

/** Returns the fault of a value: the path of the member and the expected type; `undefined` if it has no fault. */
export type Check = (value: unknown, path: string) => string | undefined;

/** A check for every member of a type; a missing check does not compile. */
export type Shape<T> = { readonly [Name in keyof T]-?: Check };

export const text = must('a text', (value) => typeof value === 'string');
export const word = must('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const flag = must('true or false', (value) => typeof value === 'boolean');
export const number = must('a number', (value) => typeof value === 'number' && Number.isFinite(value));
/** A member that no record has. */
export const absent = must('absent', (value) => value === undefined);
export const object = must('an object', isRecord);
export const json = must('JSON', (value) => value !== undefined);

/** No record is deeper: `limits.jsonDepth` ends at 1,000 levels, and a record adds a few. */
const MAX_DEPTH = 1_100;

/** Precedes any code that reads JSON without a limit of depth. */
export const shallow = must('JSON of 1,100 levels at most', (value) =>
  isJsonWithin(value, { depth: MAX_DEPTH, chars: Infinity }),
);

export function must(what: string, isFine: (value: unknown) => boolean): Check {
  return (value, path) => (isFine(value) ? undefined : `${path === '' ? 'it' : `"${path}"`} is not ${what}`);
}

export function oneOf(...words: readonly string[]): Check {
  return must(words.map((one) => `"${one}"`).join(' or '), (value) => words.some((one) => one === value));
}

export function may(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

export function listOf(check: Check): Check {
  const list = must('a list', Array.isArray);
  return (value, path) =>
    list(value, path) ?? firstOf(value as readonly unknown[], (entry, index) => check(entry, `${path}[${index}]`));
}

/** An object with these members. Ignores further members, because a later version may write them. */
export function shape<T>(members: Shape<T>): Check {
  const checks: readonly (readonly [string, Check])[] = Object.entries<Check>(members);
  return (value, path) =>
    object(value, path) ??
    firstOf(checks, ([name, check]) =>
      // Inherited members do not count.
      check(
        Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined,
        within(path, name),
      ),
    );
}

/** An object whose shape is chosen by its member of this name. */
export function byName(name: string, shapes: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    const wrong = object(value, path);
    if (wrong !== undefined) return wrong;
    const said = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const check = typeof said === 'string' ? rowOf(shapes, said) : undefined;
    return check === undefined ? `"${within(path, name)}" is not a known ${name}` : check(value, path);
  };
}

/** Either of two forms, chosen by the value's type. */
export function textOr(check: Check): Check {
  return (value, path) => (typeof value === 'string' ? undefined : check(value, path));
}

export function all(...checks: readonly Check[]): Check {
  return (value, path) => firstOf(checks, (check) => check(value, path));
}

function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function firstOf<T>(
  entries: readonly T[],
  problemOf: (entry: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, entry] of entries.entries()) {
    const problem = problemOf(entry, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

import { LEVELS, type Found, type Level } from '../compare.js';
import type { Major, SdkMajor } from '../sides.js';

/** Something the two do differently, as a user would be told of it, and where that shows. */
export interface Difference {
  readonly what: string;
  readonly stock: string;
  readonly ours: string;
  readonly right: 'ours' | 'stock' | 'either';
  readonly why: string;
  readonly seen: readonly Sighting[];
}

/** Where it shows. Every scenario, field and level that is named here has to show it, in every major that is named. */
export interface Sighting {
  /** Names of scenarios; `*` stands for anything. */
  readonly in: readonly string[];
  /** Paths into the facts; `[*]` stands for any index, `*` for anything. */
  readonly fields: readonly string[];
  /** What the stock provider says, then what we say. Both may be anything where this is left out. */
  readonly values?: readonly [Pin, Pin];
  readonly at?: readonly Level[];
  readonly of?: readonly Major[];
  /** Under which AI SDK; all that take the major where none are named. */
  readonly under?: readonly SdkMajor[];
}

/** A value, a pattern that its text or its JSON has to match, or a word for nothing or anything. */
export type Pin = string | number | boolean | null | RegExp | typeof ABSENT | typeof ANY;
export const ABSENT = Symbol('absent');
export const ANY = Symbol('any');

export const MODEL: readonly Level[] = ['doStream', 'doGenerate'];
export const STREAMS: readonly Level[] = ['doStream', 'streamText'];
export const WHOLE: readonly Level[] = ['doGenerate', 'generateText'];

export function explains(sighting: Sighting, found: Found): boolean {
  return (
    (sighting.at ?? LEVELS).includes(found.level) &&
    sighting.in.some((pattern) => matches(pattern, found.scenario)) &&
    sighting.fields.some((pattern) => matches(pattern, found.field)) &&
    (sighting.values === undefined || (holds(sighting.values[0], found.stock) && holds(sighting.values[1], found.ours)))
  );
}

/** What a sighting names, and nothing shows. */
export function unseen(sighting: Sighting, all: readonly Found[]): string[] {
  const hits = all.filter((found) => explains(sighting, found));
  const lacks = (patterns: readonly string[], of: (found: Found) => string): string[] =>
    patterns.filter((pattern) => !hits.some((found) => matches(pattern, of(found))));
  return [
    ...lacks(sighting.in, ({ scenario }) => scenario).map((name) => `in ${name}`),
    ...lacks(sighting.fields, ({ field }) => field).map((name) => `${name} in ${sighting.in.join(', ')}`),
    ...(sighting.at ?? []).filter((level) => !hits.some((found) => found.level === level)).map((name) => `at ${name}`),
  ];
}

function holds(pin: Pin, value: unknown): boolean {
  if (pin === ANY) return true;
  if (pin === ABSENT) return value === undefined;
  if (pin instanceof RegExp) return pin.test(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return pin === (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
}

const compiled = new Map<string, RegExp>();

function matches(pattern: string, name: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const escaped = pattern.replace(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`);
    expression = new RegExp(`^${escaped.replaceAll(String.raw`\[*\]`, String.raw`\[\d+\]`).replaceAll('*', '.*')}$`);
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}

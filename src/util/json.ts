import { isRecord } from './guards.js';

/** The value of a JSON text; `undefined`, which is not a JSON value, if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether a JSON value has more than so many levels of nesting; a scalar has zero. `JSON.stringify` and
 * `structuredClone` overflow the stack at a few thousand levels. Reads no deeper than requested, at most some hundred
 * levels, and keeps nothing, so that millions of objects cost only time.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  // Bytes of a file, whose values would be listed one by one.
  if (ArrayBuffer.isView(value)) return false;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((member) => isDeeperThan(member, levels - 1));
}

export interface JsonBounds {
  /** Levels of nesting. */
  readonly depth: number;
  /** Characters of all texts and names, each value counted as at least one. */
  readonly chars: number;
}

/** Whether a value can be written as JSON within this depth and size. Stops as early as possible. */
export function isJsonWithin(value: unknown, { depth, chars }: JsonBounds): boolean {
  let left = chars;
  const fits = (member: unknown, levels: number): boolean => {
    left -= typeof member === 'string' ? member.length + 1 : 1;
    if (left < 0 || typeof member === 'bigint') return false;
    if (typeof member !== 'object' || member === null) return true;
    if (levels === 0) return false;
    if (Array.isArray(member)) return member.every((entry) => fits(entry, levels - 1));
    return Object.entries(member).every(([name, entry]) => {
      left -= name.length;
      return fits(entry, levels - 1);
    });
  };
  return fits(value, depth);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/** Returns an upper bound for the values in a JSON text, strings skipped; in one pass, without parsing. */
export function countJsonValues(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === LIST || code === OBJECT) count += 1;
  }
  return count;
}

/** Returns the place of the closing quote; without one, the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let backslashes = 0;
  while (quote - backslashes - 1 > start && text.charCodeAt(quote - backslashes - 1) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}

/** The same text for the same JSON value, in any order of keys; `change` removes other meaningless differences. */
export function stableJson(value: unknown, change?: (key: string, member: unknown) => unknown): string {
  const even = (key: string, member: unknown): unknown => {
    const changed = change === undefined ? member : change(key, member);
    if (!isRecord(changed)) return changed;
    return Object.fromEntries(Object.entries(changed).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, even) ?? 'undefined';
}

/** Half a surrogate pair: no valid UTF-8 text contains one. Some runtimes lack `toWellFormed`. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

const REPLACEMENT = '\ufffd';

/** Returns a value without lone surrogates in its plain objects and lists; the same value if it had none. */
export function wellFormed<T>(value: T): T {
  // Of the same shape.
  return mapTexts(value, (text) => text.replace(LONE_SURROGATE, REPLACEMENT)) as T;
}

/**
 * Changes all texts of lists and objects, names too; returns the same value if nothing changed. Objects that are not
 * plain stay unchanged, unless `isOpen` accepts them.
 */
export function mapTexts(
  value: unknown,
  change: (text: string) => string,
  isOpen: (object: object) => boolean = isPlain,
): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) {
    const list = value.map((member) => mapTexts(member, change, isOpen));
    return list.every((member, index) => member === value[index]) ? value : list;
  }
  if (typeof value !== 'object' || value === null || !isOpen(value)) return value;
  const before: readonly (readonly [string, unknown])[] = Object.entries(value);
  const entries = before.map(([name, member]) => [change(name), mapTexts(member, change, isOpen)] as const);
  const isSame = entries.every(([name, member], index) => name === before[index]?.[0] && member === before[index][1]);
  return isSame ? value : Object.fromEntries(entries);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

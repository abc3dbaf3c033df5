/** Half a surrogate pair: no text that can be written as UTF-8 holds one. `toWellFormed` of strings is younger than some runtimes. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

const REPLACEMENT = '\ufffd';

/** `JSON.stringify` writes them as escapes, and only them, in lower case. */
const LONE_ESCAPE = '\\ud';

/** One escape of JSON, whole: what follows an escaped backslash is text. */
const ESCAPE = /\\(?:(ud[89a-f][0-9a-f]{2})|[^])/g;

/** What `JSON.stringify` made, without lone surrogates in names and values; strict parsers refuse a request for one. */
export function wellFormedJson(json: string): string {
  if (!json.includes(LONE_ESCAPE)) return json;
  return json.replace(ESCAPE, (escape, lone: string | undefined) => (lone === undefined ? escape : REPLACEMENT));
}

/** A value in which no text of plain objects and lists has a lone surrogate; the same value where there was none. */
export function wellFormed<T>(value: T): T {
  // Of the same shape.
  return mend(value) as T;
}

function mend(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(LONE_SURROGATE, REPLACEMENT);
  if (Array.isArray(value)) return mendList(value);
  return isPlain(value) ? mendObject(value) : value;
}

function mendList(list: readonly unknown[]): readonly unknown[] {
  const mended = list.map(mend);
  return mended.every((member, index) => member === list[index]) ? list : mended;
}

function mendObject(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object).map(([name, member]) => [String(mend(name)), mend(member)] as const);
  return entries.every(([name, member]) => object[name] === member) ? object : Object.fromEntries(entries);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import type { Edit } from './edits.js';

/** The replacement of a sealed value: `sealed-1`, `sealed-2`, … */
const STAND_IN = /^sealed-\d+$/;

const MIN_CHARS = 8;

export function isStandIn(text: unknown): boolean {
  return typeof text === 'string' && STAND_IN.test(text);
}

/** Names sealed values, equal values alike, so that a value that is sent back can be recognized. */
export class StandIns {
  readonly #names = new Map<string, string>();

  get size(): number {
    return this.#names.size;
  }

  nameOf(sealed: string): string {
    if (isStandIn(sealed)) return sealed;
    const name = this.#names.get(sealed) ?? `sealed-${this.#names.size + 1}`;
    this.#names.set(sealed, name);
    return name;
  }

  /** Returns each value that is no common word, with its name. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#names].filter(([value]) => value.length >= MIN_CHARS);
  }
}

/** Members whose value only the server that made it can read. */
const SEALED = 'encrypted_content|thought_signature';
const SEALED_NAME = new RegExp(`^(?:${SEALED})$`);

/** Matches them in JSON, also if the connection broke inside the value. */
const IN_JSON = new RegExp(`"(?:${SEALED})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, 'dg');
/** Matches them in JSON inside a JSON text, whose quotes have backslashes. */
const IN_TEXT = new RegExp(`(\\\\+)"(?:${SEALED})\\1"\\s*:\\s*\\1"([^"]*?)(?=\\1"|"|$)`, 'dg');

/** Replaces every sealed value of a body by a made-up name. */
export function sealedEdits(text: string, standIns: StandIns): Edit[] {
  return [IN_JSON, IN_TEXT].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const raw = match.at(-1) ?? '';
      const [start, end] = match.indices?.at(-1) ?? [0, 0];
      return raw === '' ? [] : [{ start, end, text: standIns.nameOf(unescaped(raw)) }];
    }),
  );
}

/** Returns a copy of a JSON value with made-up names for sealed values. */
export function withStandIns(value: unknown, standIns: StandIns, name = ''): unknown {
  if (typeof value === 'string') return SEALED_NAME.test(name) && value !== '' ? standIns.nameOf(value) : value;
  if (Array.isArray(value)) return value.map((entry) => withStandIns(entry, standIns));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withStandIns(member, standIns, key)]));
}

/** Returns whether a JSON value still holds a sealed value. */
export function holdsSealed(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return SEALED_NAME.test(name) && value !== '' && !isStandIn(value);
  if (Array.isArray(value)) return value.some((entry) => holdsSealed(entry));
  return isRecord(value) && Object.entries(value).some(([key, member]) => holdsSealed(member, key));
}

function unescaped(raw: string): string {
  const value = parseJson(`"${raw}"`);
  return typeof value === 'string' ? value : raw;
}

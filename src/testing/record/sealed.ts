import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import type { Edit } from './edits.js';

/** What stands in a recording where something sealed was: `sealed-1`, `sealed-2`, … */
const STAND_IN = /^sealed-\d+$/;

const MIN_CHARS = 8;

export function isStandIn(text: unknown): boolean {
  return typeof text === 'string' && STAND_IN.test(text);
}

/** Names for sealed values, the same one for the same value, so that what is sent back can be recognised as what came. */
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

  /** Each value that is no word by chance, and its name. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#names].filter(([value]) => value.length >= MIN_CHARS);
  }
}

/** Members whose value only the server that made it can read. */
const SEALED = 'encrypted_content|thought_signature';
const SEALED_NAME = new RegExp(`^(?:${SEALED})$`);

/** In JSON, also where the connection broke inside the value. */
const IN_JSON = new RegExp(`"(?:${SEALED})"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`, 'dg');
/** In JSON inside of a JSON text, where the quotes have backslashes. */
const IN_TEXT = new RegExp(`(\\\\+)"(?:${SEALED})\\1"\\s*:\\s*\\1"([^"]*?)(?=\\1"|"|$)`, 'dg');

/** Puts a made-up name in place of every sealed value of a body. */
export function sealedEdits(text: string, standIns: StandIns): Edit[] {
  return [IN_JSON, IN_TEXT].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const raw = match.at(-1) ?? '';
      const [start, end] = match.indices?.at(-1) ?? [0, 0];
      return raw === '' ? [] : [{ start, end, text: standIns.nameOf(unescaped(raw)) }];
    }),
  );
}

/** A copy of a JSON value in which sealed values have made-up names. */
export function withStandIns(value: unknown, standIns: StandIns, name = ''): unknown {
  if (typeof value === 'string') return SEALED_NAME.test(name) && value !== '' ? standIns.nameOf(value) : value;
  if (Array.isArray(value)) return value.map((entry) => withStandIns(entry, standIns));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withStandIns(member, standIns, key)]));
}

/** Whether something sealed is left in a JSON value. */
export function holdsSealed(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return SEALED_NAME.test(name) && value !== '' && !isStandIn(value);
  if (Array.isArray(value)) return value.some((entry) => holdsSealed(entry));
  return isRecord(value) && Object.entries(value).some(([key, member]) => holdsSealed(member, key));
}

function unescaped(raw: string): string {
  const value = parseJson(`"${raw}"`);
  return typeof value === 'string' ? value : raw;
}

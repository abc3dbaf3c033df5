import type { JsonObject } from '../../core/json.js';
import { type ServerItem, serverItem } from '../../core/call-items.js';
import { excerpt } from '../../util/excerpt.js';
import { isRecord, rowOf } from '../../util/guards.js';
import { type ItemRule, REFUSED_ITEMS, RESPONSE_ITEMS, SIGNED_ITEM } from './response-items.js';

export interface ItemPlace {
  readonly place: ItemRule['places'][number];
  /** By us, in the metadata. */
  readonly signed: boolean;
}

/** A valid item of a posted history, or its fault. */
export function checkItem(value: unknown, { place, signed }: ItemPlace): ServerItem | string {
  if (!isRecord(value)) return 'no item';
  const { type } = value;
  if (typeof type !== 'string') return 'an item without a type';
  const what = `an item of type ${quoted(type)}`;
  const refused = rowOf(REFUSED_ITEMS, type);
  if (refused !== undefined) return `${what} (${refused})`;
  const rule = rowOf(RESPONSE_ITEMS, type) ?? (signed ? SIGNED_ITEM : undefined);
  if (rule === undefined) return `${what}, which no known response contains`;
  if (!rule.places.includes(place)) return `${what} in the wrong place`;
  const missing = Object.keys(rule.needs).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${what} without ${quoted(missing)}`;
  const read: [string, unknown][] = [['type', type]];
  for (const [name, given] of Object.entries(value)) {
    const member = readMember(name, given, { rule, signed });
    if (member === WRONG) return `${what} with a wrong ${quoted(name)}`;
    if (member !== undefined) read.push([name, member]);
  }
  // Its members are JSON: see `isJsonWithin`.
  return serverItem(Object.fromEntries(read) as JsonObject);
}

const WRONG = Symbol('wrong');

/** Returns the member for the request; `undefined` if it is dropped. */
function readMember(
  name: string,
  value: unknown,
  { rule, signed }: { readonly rule: ItemRule; readonly signed: boolean },
): unknown {
  const needed = rowOf(rule.needs, name);
  const field = needed ?? rowOf(rule.may ?? {}, name);
  const isAbsent = needed === undefined && (value === null || value === undefined);
  if (field !== undefined && !isAbsent) return field(value, signed) ?? WRONG;
  return rule.open === true && !NEVER_OPEN.has(name) ? value : undefined;
}

/** The type is already read. Only a message has a role, which is one of its fields; the last would harm its readers. */
const NEVER_OPEN: ReadonlySet<string> = new Set(['type', 'role', 'id', '__proto__']);

/** A word of a history for a warning: short, without terminal control characters. */
export function quoted(word: string): string {
  return JSON.stringify(excerpt(word, MAX_QUOTED).replaceAll(/[^ -~…]/g, '?'));
}

const MAX_QUOTED = 40;

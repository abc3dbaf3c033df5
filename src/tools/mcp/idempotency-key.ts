import type { CallOrigin } from '../tool-source.js';

const MOST_SEEN = 10_000;
/** As many letters and digits in a row, so many of them different, as an id has that was drawn at random; a text of words has not. */
const LONG = 16;
const DIFFERENT = 8;

/** Something random that distinguishes each conversation from all others. */
const owners = new WeakMap<object, string>();
/** Response ids, and the conversation that had each first. */
const seen = new Map<string, string>();

/**
 * A name that the same call of a tool always has, however often it is sent, and no other call: a server can take it for an
 * idempotency key. It is made of the ids of the model's server where those are unique; some servers count from one in every
 * conversation, or repeat what they recorded, and then it has a part of its own.
 */
export function idempotencyKey(origin: CallOrigin | undefined, callId: string, tool: string): string {
  if (origin === undefined) return crypto.randomUUID();
  const { owner, responseId, round, seed } = origin;
  const name = [responseId === undefined ? '+' : plain(responseId), round, plain(callId)].join('/');
  // Another process may send the same call again.
  if (seed !== undefined) return `${seed}/${name}`;
  const random = randomOf(owner);
  // Some models make ids of the name of the tool and a number, so that every conversation has the same.
  const isUnique =
    looksRandom(responseId ?? callId.replaceAll(tool, '')) && (responseId === undefined || isFirst(responseId, random));
  return isUnique ? name : `${random}/${name}`;
}

/** What separates the parts of a name must not stand in one. */
function plain(id: string): string {
  return id.replace(/[^\w.-]/gu, (char) => `%${char.codePointAt(0)?.toString(16)}%`);
}

function randomOf(owner: object): string {
  const random = owners.get(owner) ?? crypto.randomUUID();
  owners.set(owner, random);
  return random;
}

function isFirst(responseId: string, owner: string): boolean {
  const first = seen.get(responseId);
  if (first !== undefined) return first === owner;
  seen.set(responseId, owner);
  if (seen.size > MOST_SEEN) for (const oldest of seen.keys()) return seen.delete(oldest);
  return true;
}

function looksRandom(id: string): boolean {
  let longest = '';
  for (const piece of id.split(/[^A-Za-z0-9]+/)) if (piece.length > longest.length) longest = piece;
  const isUuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.test(id);
  return isUuid || (longest.length >= LONG && /\d/.test(longest) && new Set(longest).size >= DIFFERENT);
}

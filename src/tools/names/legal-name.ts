import { shortHash } from '../../util/hash.js';

/** The longest function name that every host accepts. */
const MAX_NAME_LENGTH = 64;

const ILLEGAL = /[^a-zA-Z0-9_-]/g;
const HASH_LENGTH = 8;

/** The owner of a name; the only input of its hash, so that the name survives restarts and reordering. */
export interface NameOwner {
  readonly kind: 'mcp' | 'local' | 'own';
  readonly source: string;
  readonly tool: string;
}

/** Turns `a.b` into `a_b`, and a name without readable characters into a hash. At most 64 characters. */
export function legalName(owner: NameOwner): string {
  return shorten(readable(owner.tool, 'tool', owner), owner);
}

/** Returns `<source>__<tool>`, for names that several tools have. */
export function qualifiedName(owner: NameOwner): string {
  const source = readable(owner.source, 'source', owner);
  return shorten(`${source}__${readable(owner.tool, 'tool', owner)}`, owner);
}

/** Returns the qualified name with a hash in front, if even the qualified name is taken. */
export function hashedName(owner: NameOwner): string {
  return tailWithHash(qualifiedName(owner), owner);
}

function readable(text: string, otherwise: string, owner: NameOwner): string {
  const cleaned = text.replace(ILLEGAL, '_');
  const isReadable = cleaned !== '' && (cleaned === text || /[a-zA-Z0-9]/.test(cleaned));
  return isReadable ? cleaned : `${otherwise}_${hashOf(owner)}`;
}

function shorten(name: string, owner: NameOwner): string {
  return name.length <= MAX_NAME_LENGTH ? name : tailWithHash(name, owner);
}

/** Keeps the tail, because long names share prefixes (redpanda-data/ai-sdk-go#133). */
function tailWithHash(name: string, owner: NameOwner): string {
  return `${hashOf(owner)}_${name.slice(-(MAX_NAME_LENGTH - HASH_LENGTH - 1))}`;
}

function hashOf(owner: NameOwner): string {
  return shortHash(`${owner.kind}\u0000${owner.source}\u0000${owner.tool}`).slice(0, HASH_LENGTH);
}

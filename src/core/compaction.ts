import type { JsonObject } from './json.js';

/** As much of an item of the wire as says what it is. */
type SomeItem = JsonObject | { readonly [Name in 'type' | 'role' | 'agent' | 'encrypted_content']?: unknown };

/** A summary that can be given back: without its seal it is an id, and we refer to nothing. */
export function isSealedCompaction({ type, encrypted_content: sealed }: SomeItem): boolean {
  return type === 'compaction' && typeof sealed === 'string' && sealed !== '';
}

/** The server's summary of what stands before it. One of several agents sums up only its own part of that. */
export function isCompaction(item: SomeItem): boolean {
  return isSealedCompaction(item) && (item.agent ?? undefined) === undefined;
}

/** What the caller has laid down for the whole conversation. */
const LAID_DOWN: ReadonlySet<unknown> = new Set(['system', 'developer', 'configuration_update']);

/** Whether an item is sent although a summary stands behind it: a summary replaces only what was said. */
export function outlivesCompaction({ type, role }: SomeItem): boolean {
  return LAID_DOWN.has(role) || LAID_DOWN.has(type);
}

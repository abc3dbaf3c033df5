import type { JsonObject } from './json.js';

/** The members of a wire item that decide. */
type SomeItem = JsonObject | { readonly [Name in 'type' | 'role' | 'agent' | 'encrypted_content']?: unknown };

/** A summary that can be sent back: without its seal it is only an id, and we send no references. */
export function isSealedCompaction({ type, encrypted_content: sealed }: SomeItem): boolean {
  return type === 'compaction' && typeof sealed === 'string' && sealed !== '';
}

/** True for the server's summary of the items before it. With several agents, one sums up only its own part. */
export function isCompaction(item: SomeItem): boolean {
  return isSealedCompaction(item) && (item.agent ?? undefined) === undefined;
}

/** Instructions of the caller for the whole conversation. */
const LAID_DOWN: ReadonlySet<unknown> = new Set(['system', 'developer', 'configuration_update']);

/** True if an item is sent although a summary follows it: a summary replaces only the conversation. */
export function outlivesCompaction({ type, role }: SomeItem): boolean {
  return LAID_DOWN.has(role) || LAID_DOWN.has(type);
}

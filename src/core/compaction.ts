import type { JsonObject } from './json.js';

/** As much of an item of the wire as says what it is. */
type SomeItem = JsonObject | { readonly type?: unknown; readonly role?: unknown };

/** The server's summary of what stands before it. */
export function isCompaction({ type }: SomeItem): boolean {
  return type === 'compaction';
}

/** What the caller has laid down for the whole conversation. */
const LAID_DOWN: ReadonlySet<unknown> = new Set(['system', 'developer', 'configuration_update']);

/** Whether an item is sent although a summary stands behind it: a summary replaces only what was said. */
export function outlivesCompaction({ type, role }: SomeItem): boolean {
  return LAID_DOWN.has(role) || LAID_DOWN.has(type);
}

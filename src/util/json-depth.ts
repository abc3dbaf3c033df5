/**
 * Whether a value of JSON has more than so many levels of nesting; a plain value has none. `JSON.stringify` and
 * `structuredClone` overflow the stack at a few thousand levels. It goes no deeper than it is asked about, at most some
 * hundred levels, and keeps nothing of what it has seen: a list of millions of objects costs time only.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  // Bytes of a file; their values would be listed one by one.
  if (ArrayBuffer.isView(value)) return false;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((member) => isDeeperThan(member, levels - 1));
}

/**
 * Whether a value of JSON has more than so many levels of nesting; a plain value has none. In time with its size and
 * without recursion: `JSON.stringify` and `structuredClone` overflow the stack at a few thousand levels.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const open: { readonly value: object; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > levels) return true;
    // Bytes of a file; their values would be listed one by one.
    if (ArrayBuffer.isView(next.value)) continue;
    for (const inner of Object.values(next.value) as unknown[])
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner, depth: next.depth + 1 });
  }
  return false;
}

/**
 * JSON text of anything a function may return: big integers as decimal strings, a reference back to an enclosing object as
 * `"[circular]"`, errors with their message, binary data as a note. `undefined` where JSON has nothing to say.
 */
export function toJsonText(value: unknown, space?: number): string | undefined {
  const enclosing: unknown[] = [];
  function replace(this: unknown, _key: string, member: unknown): unknown {
    const plain = flatten(member);
    if (typeof plain !== 'object' || plain === null) return plain;
    // `this` is the object that holds the member: everything opened after it is closed by now.
    while (enclosing.length > 0 && enclosing.at(-1) !== this) enclosing.pop();
    if (enclosing.includes(plain)) return '[circular]';
    enclosing.push(plain);
    return plain;
  }
  return JSON.stringify(value, replace, space);
}

function flatten(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[binary data, ${value.byteLength} bytes]`;
  return value;
}

/** SQLite ends a text at the first zero, and UTF-8 has no halves of characters. */
const UNWRITABLE = /\0|\p{Surrogate}/gu;

/** A text that comes back from wherever it is kept as it was. */
export function keepable(text: string): string {
  return text.replaceAll(UNWRITABLE, '\uFFFD');
}

export function isKeepable(text: string): boolean {
  return keepable(text) === text;
}

/** The value as it will be read back: JSON, where an `Error` is its message and bytes are base64. */
export function plainJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (isDeeperThan(value, MAX_LEVELS))
    return `[a value that cannot be written as JSON: it has more than ${MAX_LEVELS} levels]`;
  try {
    const text = JSON.stringify(value, toPlain);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // It holds itself, or something else that JSON has no words for.
    return typeof value === 'bigint' ? value.toString() : '[a value that cannot be written as JSON]';
  }
}

/** Levels of nesting that a row may have: what copies and writes it overflows the stack at some thousands. */
export const MAX_LEVELS = 500;

/** Goes no deeper than it is asked about. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return levels <= 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 0x80_00) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x80_00));
  }
  return btoa(binary);
}

/** Freezes all that the value holds. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

function toPlain(this: unknown, _key: string, value: unknown): unknown {
  if (value instanceof Error) return value.message;
  if (value instanceof Uint8Array) return toBase64(value);
  return typeof value === 'bigint' ? value.toString() : value;
}

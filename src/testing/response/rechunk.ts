/**
 * Returns numbers in [0, 1), equal for equal seeds on every machine. Mulberry32: small, fast, good enough to cut bytes.
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** Returns a whole number from 0 up to, not including, `limit`. */
export function randomBelow(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

/** Cuts a stream's bytes into network chunks. The chunks joined are the bytes again. */
export type Rechunk = (bytes: Uint8Array) => readonly Uint8Array[];

/** Returns everything in one chunk. */
export function whole(bytes: Uint8Array): readonly Uint8Array[] {
  return [bytes];
}

/** Returns one byte per chunk, which cuts every line, every event, and every character of several bytes. */
export function everyByte(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
}

/**
 * Cuts into two chunks before byte `at`; a place outside the bytes results in one chunk.
 *
 * @example
 * splitAt(3)(bytes); // [bytes 0–2, bytes 3–…]
 */
export function splitAt(at: number): Rechunk {
  return (bytes) => (at <= 0 || at >= bytes.length ? [bytes] : [bytes.subarray(0, at), bytes.subarray(at)]);
}

/** How a stream is cut at random. */
export interface RandomCutOptions {
  /** Equal seeds produce equal cuts. */
  readonly seed: number;
  /** Longest chunk in bytes. @default 64 */
  readonly maxBytes?: number | undefined;
}

/** Cuts into chunks of random length, from 1 byte to `maxBytes`. */
export function randomCuts(options: RandomCutOptions): Rechunk {
  const maxBytes = Math.max(1, options.maxBytes ?? 64);
  return (bytes) => {
    const random = seededRandom(options.seed);
    const chunks: Uint8Array[] = [];
    for (let at = 0; at < bytes.length;) {
      const length = 1 + randomBelow(random, maxBytes);
      chunks.push(bytes.subarray(at, at + length));
      at += length;
    }
    return chunks;
  };
}

/** Returns `count` places to cut at, each inside the bytes, unordered, equal for equal seeds. */
export function randomPlaces(length: number, count: number, seed: number): readonly number[] {
  if (length < 2) return [];
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => 1 + randomBelow(random, length - 1));
}

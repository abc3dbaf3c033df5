import { lazy } from './lazy.js';

/**
 * A secret, so that no peer can prepare two texts with one fingerprint. Only platforms without cryptography use
 * `Math.random`, because ids contain some of its numbers, and a few reveal all others.
 */
const KEY = lazy(() => {
  const key = new Int32Array(2);
  const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, 'getRandomValues'> };
  return crypto?.getRandomValues(key) ?? key.map(() => Math.random() * 2 ** 32);
});

/** Identifies equal texts without keeping them. Valid in this process only. */
export function fingerprint(text: string): string {
  return `${text.length}.${keyedHash(text, KEY())}`;
}

/**
 * HalfSipHash-2-4 with 64 bits, in hex (https://www.aumasson.jp/siphash/siphash.pdf, https://github.com/veorq/SipHash).
 * A hash that only begins with a secret, as FNV-1a may, is not enough, because some texts collide for every beginning.
 */
export function keyedHash(text: string, [first = 0, second = 0]: Iterable<number>): string {
  let a = first;
  let b = second ^ 0xee;
  let c = first ^ 0x6c796765;
  let d = second ^ 0x74656462;
  let low = 0;
  const words = text.length >> 1;
  // The words of the text precede its end and its length, then two steps produce the result. A single loop keeps the
  // variables in registers; methods or arrays take twice as long.
  for (let at = 0; at < words + 3; at += 1) {
    let word = 0;
    if (at < words) word = text.charCodeAt(2 * at) | (text.charCodeAt(2 * at + 1) << 16);
    else if (at === words) word = (text.length << 25) | (text.length & 1 ? text.charCodeAt(2 * at) : 0);
    else if (at === words + 1) c ^= 0xee;
    else {
      low = b ^ d;
      b ^= 0xdd;
    }
    d ^= word;
    for (let rounds = at > words ? 4 : 2; rounds > 0; rounds -= 1) {
      a = (a + b) | 0;
      b = ((b << 5) | (b >>> 27)) ^ a;
      a = (a << 16) | (a >>> 16);
      c = (c + d) | 0;
      d = ((d << 8) | (d >>> 24)) ^ c;
      a = (a + d) | 0;
      d = ((d << 7) | (d >>> 25)) ^ a;
      c = (c + b) | 0;
      b = ((b << 13) | (b >>> 19)) ^ c;
      c = (c << 16) | (c >>> 16);
    }
    a ^= word;
  }
  return hex(low) + hex(b ^ d);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

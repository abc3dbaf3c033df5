import { lazy } from './lazy.js';

/**
 * Nobody knows it, so that nobody can prepare two texts of one fingerprint. `Math.random` tells by a few of its numbers all
 * others, and ids are made of them; it serves where there is nothing else.
 */
const KEY = lazy(() => {
  const key = new Int32Array(2);
  const { crypto } = globalThis as { readonly crypto?: Pick<Crypto, 'getRandomValues'> };
  return crypto?.getRandomValues(key) ?? key.map(() => Math.random() * 2 ** 32);
});

/** Whether two texts are the same, without keeping them. Of this process only. */
export function fingerprint(text: string): string {
  return `${text.length}.${keyedHash(text, KEY())}`;
}

/**
 * HalfSipHash-2-4 with 64 bits, in hex. A hash that only begins with a secret, as FNV-1a may, is not enough: there are texts
 * that collide wherever it begins.
 */
export function keyedHash(text: string, [first = 0, second = 0]: Iterable<number>): string {
  const state = new SipState(first, second);
  const even = text.length - (text.length % 2);
  for (let at = 0; at < even; at += 2) state.take(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16), 2);
  // How long it is, in bytes, stands above what is left.
  state.take((text.length << 25) | (even < text.length ? text.charCodeAt(even) : 0), 2);
  return state.end();
}

/** Its four words; https://www.aumasson.jp/siphash/siphash.pdf has the rounds, https://github.com/veorq/SipHash this size. */
class SipState {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(first: number, second: number) {
    this.#a = first;
    this.#b = second ^ 0xee;
    this.#c = first ^ 0x6c796765;
    this.#d = second ^ 0x74656462;
  }

  take(word: number, rounds: number): void {
    // In variables of its own it is twice as quick.
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d ^ word;
    for (let round = 0; round < rounds; round += 1) {
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
    this.#a = a ^ word;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }

  end(): string {
    this.#c ^= 0xee;
    this.take(0, 4);
    const low = hex(this.#b ^ this.#d);
    this.#b ^= 0xdd;
    this.take(0, 4);
    return low + hex(this.#b ^ this.#d);
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

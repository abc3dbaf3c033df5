import { describe, expect, it } from 'vitest';
import { fingerprint, keyedHash } from '../../src/util/fingerprint.js';

describe('a keyed hash', () => {
  const KEY = [0x03020100, 0x07060504];

  // Of the reference implementation: key and text are the bytes 0, 1, 2, …; its result is two words in little-endian order.
  it.each([
    [0, '218d1f59b9b83cc8'],
    [2, '064f39ef7c50eb57'],
    [4, 'd5e78a175be52ea1'],
    [6, 'ce3e91358aa2bc25'],
    [8, 'edfee820bce4858c'],
    [10, '95b0469f06a6f2ee'],
    [14, '3bb1a870eae8e658'],
  ])('is HalfSipHash-2-4 of 64 bits: %i bytes', (bytes, expected) => {
    const text = Buffer.from(Array.from({ length: bytes }, (_, at) => at)).toString('utf16le');
    const words = keyedHash(text, KEY).match(/.{8}/g) ?? [];
    expect(words.map((word) => Buffer.from(word, 'hex').swap32().toString('hex')).join('')).toBe(expected);
  });

  it('is another one with another key, and for every text', () => {
    expect(keyedHash('text', [1, 2])).not.toBe(keyedHash('text', [1, 3]));
    const texts = ['', 'a', 'b', 'ab', 'ba', 'abc', 'a\0', '\0', '\0\0', '\u6161'];
    expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  });
});

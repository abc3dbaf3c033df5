import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest } from '../../src/util/closest.js';
import { orList } from '../../src/util/or-list.js';

describe('the word that was meant', () => {
  it.each([
    ['base_url', 'baseURL'],
    ['llama.cpp', 'llamacpp'],
    ['opnai', 'openai'],
    ['websockets', 'websocket'],
    ['apiKye', undefined],
    ['x', undefined],
    ['', undefined],
    ['a'.repeat(100_000), undefined],
  ])('%s → %s', (word, meant) => {
    expect(closest(word, ['xy', 'baseURL', 'llamacpp', 'openai', 'websocket', 'query'])).toBe(meant);
  });

  it('is a known word itself, whatever else is near', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-rt-z]{3,12}$/), { minLength: 1 });
    fc.assert(fc.property(words, (known) => known.every((word) => closest(word, known) === word)));
  });

  it('is found with any one letter of a long word missing', () => {
    const name = 'maxToolOutputChars';
    for (let at = 0; at < name.length; at++)
      expect(closest(name.slice(0, at) + name.slice(at + 1), ['maxToolCalls', name])).toBe(name);
  });
});

it.each([
  [[], ''],
  [['a'], '"a"'],
  [['a', 'b'], '"a" or "b"'],
  [['a', 'b', 'c'], '"a", "b" or "c"'],
])('a list of %j as a person writes it: %s', (values, text) => {
  expect(orList(values)).toBe(text);
});

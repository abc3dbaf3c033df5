import { describe, expect, it } from 'vitest';
import { toJsonText } from '../../src/util/to-json.js';

const form = (): FormData => {
  const data = new FormData();
  data.append('a', '1');
  data.append('a', '2');
  data.append('f', new File(['hello'], 'a.txt', { type: 'text/plain' }));
  return data;
};

function* counting(to: number): Generator<number> {
  for (let n = 1; n <= to; n += 1) yield n;
}

class Bag {
  *[Symbol.iterator](): Generator<string> {
    yield* ['x', 'y'];
  }
}

describe('JSON of anything a function may return', () => {
  it.each<[string, unknown, unknown]>([
    ['a generator', counting(2), [1, 2]],
    ['a collection of its own kind', { bag: new Bag() }, { bag: ['x', 'y'] }],
    ["a map's values", new Map([['a', 1]]).values(), [1]],
    ['a text in an object', Object('ab'), 'ab'],
    ['a map', new Map([['a', new Set([1n])]]), { a: ['1'] }],
    ['a map with objects for keys', new Map([[{ a: 1 }, 2]]), [[{ a: 1 }, 2]]],
    ['headers', { headers: new Headers({ 'x-a': 'b' }) }, { headers: { 'x-a': 'b' } }],
    ['parameters of a URL', new URLSearchParams('a=1&b=2&a=3'), { a: ['1', '3'], b: '2' }],
    ['a form', form(), { a: ['1', '2'], f: '[file a.txt, text/plain, 5 bytes]' }],
    ['a Blob inside', { body: new Blob(['abc']) }, { body: '[binary data, 3 bytes]' }],
    ['a Response inside', { got: new Response('x', { status: 201 }) }, { got: '[response, HTTP 201]' }],
    ['a stream inside', { body: new Response('x').body }, { body: '[stream]' }],
    ['an async generator inside', { later: (async function* () {})() }, { later: '[stream]' }],
    ['a pattern', { match: /x/i }, { match: '/x/i' }],
    ['a member called valueOf', { a: { valueOf: 1 } }, { a: { valueOf: 1 } }],
    ["Node's buffer", { raw: Buffer.from('abc') }, { raw: '[binary data, 3 bytes]' }],
    ['bytes', { raw: new Uint8Array(2) }, { raw: '[binary data, 2 bytes]' }],
  ])('%s', (_name, value, expected) => {
    expect(JSON.parse(toJsonText(value) ?? '')).toEqual(expected);
  });

  it('what has no end gets one, and says so', () => {
    const list = JSON.parse(toJsonText(counting(Infinity)) ?? '') as unknown[];
    expect(list).toHaveLength(10_001);
    expect(list.at(-1)).toBe('[more]');
    expect(JSON.parse(toJsonText(counting(10_000)) ?? '')).toHaveLength(10_000);
  });

  it('a collection that holds itself has an end too', () => {
    const own: Iterable<unknown> = {
      *[Symbol.iterator]() {
        yield own;
      },
    };
    expect(toJsonText(own)).toBe('["[circular]"]');
  });
});

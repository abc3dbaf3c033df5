import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { mergeOverrides } from '../../src/request/body-override.js';

describe('body overrides', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['add a field', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['replace a field', { a: 1 }, { a: 2 }, { a: 2 }],
    [
      'merge objects',
      { r: { effort: 'low', summary: 'auto' } },
      { r: { effort: 'high' } },
      { r: { effort: 'high', summary: 'auto' } },
    ],
    ['replace lists', { include: ['a', 'b'] }, { include: ['c'] }, { include: ['c'] }],
    ['null takes a field away', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['null takes a field inside away', { r: { a: 1, b: 2 } }, { r: { a: null } }, { r: { b: 2 } }],
    ['null for what is not there does nothing', { a: 1 }, { b: null, c: { d: null } }, { a: 1, c: {} }],
    ['undefined changes nothing', { a: 1 }, { a: undefined }, { a: 1 }],
    ['an object replaces a scalar', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['a scalar replaces an object', { a: { b: 2 } }, { a: false }, { a: false }],
    ['a list replaces an object', { a: { b: 2 } }, { a: [] }, { a: [] }],
  ])('%s', (_name, body, overrides, expected) => {
    expect(mergeOverrides(body, overrides)).toEqual(expected);
  });

  it('leaves both sides as they were', () => {
    const body = { r: { a: 1 } };
    const overrides = { r: { b: 2 } };
    mergeOverrides(body, overrides);
    expect([body, overrides]).toEqual([{ r: { a: 1 } }, { r: { b: 2 } }]);
  });

  it('a field called __proto__ is just a field', () => {
    const merged = mergeOverrides({}, JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject);
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"polluted":true}}');
  });
});

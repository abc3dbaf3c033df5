import { describe, expect, it } from 'vitest';
import { defined } from '../../src/util/defined.js';

describe('an object without its undefined members', () => {
  it('keeps everything else, null and false too', () => {
    expect(defined({ a: undefined, b: null, c: false, d: 0, e: '' })).toStrictEqual({ b: null, c: false, d: 0, e: '' });
  });

  it('takes nothing from a prototype, whatever somebody has put there', () => {
    expect(Object.keys(defined(Object.create({ inherited: 1 }) as object))).toEqual([]);
  });
});

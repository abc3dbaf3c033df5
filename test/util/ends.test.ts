import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutEnds, keepEnds } from '../../src/util/excerpt.js';

describe('the ends of a text', () => {
  it('are kept whatever pieces it comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 9 })), fc.integer({ min: 1, max: 12 }), (pieces, chars) => {
        const ends = keepEnds(chars);
        for (const piece of pieces) ends.add(piece);
        const whole = pieces.join('');
        const expected = whole.length <= 2 * chars ? whole : `${whole.slice(0, chars)}\n[…]\n${whole.slice(-chars)}`;
        expect(ends.read()).toBe(expected.trim());
      }),
    );
  });

  it('are cut between characters', () => {
    expect(cutEnds('a😀bcd😀e', 2)).toBe('a\n[…]\ne');
    expect(cutEnds('abcd', 2)).toBe('abcd');
  });
});

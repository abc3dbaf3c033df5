import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGlob } from '../../src/util/glob.js';

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'A'), maxLength: 12 });

it('a pattern fits what it would as a regular expression in which * is .*', () => {
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 5 }),
      letters,
      fc.boolean(),
      (pieces, text, ignoreCase) => {
        const source = pieces.map((piece) => piece.replaceAll('.', String.raw`\.`)).join('.*');
        const expected = new RegExp(`^${source}$`, ignoreCase ? 'i' : '').test(text);
        expect(createGlob(pieces.join('*'), { ignoreCase })(text)).toBe(expected);
      },
    ),
  );
});

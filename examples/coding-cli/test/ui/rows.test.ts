import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutRow, row, textOfRow, widthOfRow, wrapText } from '../../src/ui/rows.js';
import { cutToWidth, widthOf } from '../../src/ui/text-width.js';

const WORDS = fc
  .array(fc.constantFrom('a', 'word', ' ', ' ', '漢字', '👩‍👧', 'e\u0301', '-', 'averylongword'), { maxLength: 60 })
  .map((pieces) => pieces.join(''));

describe('rows', () => {
  it('wrap at spaces, and inside of words that are longer than a row', () => {
    const rows = wrapText('one two three supercalifragilistic end', 10).map(textOfRow);
    expect(rows).toEqual(['one two', 'three', 'supercalif', 'ragilistic', 'end']);
  });

  it('begin with what was given for the first and for the others', () => {
    const rows = wrapText('one two three', 9, {}, { first: row('› '), others: row('  ') }).map(textOfRow);
    expect(rows).toEqual(['› one two', '  three']);
  });

  it('are never wider than the terminal, whatever is in them', () => {
    fc.assert(
      fc.property(WORDS, fc.integer({ min: 4, max: 40 }), (text, width) => {
        for (const wrapped of wrapText(text, width)) expect(widthOfRow(wrapped)).toBeLessThanOrEqual(width);
        expect(widthOfRow(cutRow(row(text), width))).toBeLessThanOrEqual(width);
        expect(widthOf(cutToWidth(text, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('lose nothing but the spaces at their ends', () => {
    fc.assert(
      fc.property(WORDS, fc.integer({ min: 4, max: 40 }), (text, width) => {
        const joined = wrapText(text, width).map(textOfRow).join('');
        expect(joined.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });

  it.each([
    ['a', 1],
    ['漢', 2],
    ['e\u0301', 1],
    ['⚠\uFE0F', 2],
    ['👩‍👩‍👧', 6],
    ['한', 2],
  ])('%j takes at most %i columns of a terminal', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

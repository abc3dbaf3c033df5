import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/ui/plain-text.js';

const CONTROL = /(?!\n)[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
const PIECES = fc.constantFrom(
  '\u001B[31m',
  '\u001B]0;title\u0007',
  '\u009B2J',
  '\u001B',
  'ok',
  '\r',
  '\n',
  '\u202E',
  '\0',
  '\u001Bc',
  ']8;;x\u001B\\',
  '\t',
  '\u{D800}',
);

describe('text that is shown', () => {
  it.each([
    ['a colour', '\u001B[31mred\u001B[0m', 'red'],
    ['a title', '\u001B]0;owned\u0007after', 'after'],
    ['a link', '\u001B]8;;http://evil\u0007text\u001B]8;;\u0007', 'text'],
    ['what clears the screen', '\u001B[2J\u001B[Hgone', 'gone'],
    ['8-bit sequences', '\u009B31mred', 'red'],
    ['a bell', 'a\u0007b', 'ab'],
    ['a turn of direction', 'safe\u202Elive', 'safelive'],
    ['zero width', 'a\u200Bb\uFEFF', 'ab'],
    ['what a progress bar overwrote', '10 %\r20 %\r100 %\n', '100 %\n'],
    ['line ends of Windows', 'a\r\nb', 'a\nb'],
    ['tabs', '\ta', '    a'],
  ])('has no %s', (_, text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it('keeps joined emoji, wide characters and accents', () => {
    const text = '👩‍👩‍👧 漢字 é می‌خواهم';
    expect(plainText(text)).toBe(text);
  });

  it('has nothing that a terminal acts on, whatever it was made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(PIECES, fc.string({ unit: 'binary-ascii', maxLength: 8 })), { maxLength: 20 }),
        (pieces) => {
          expect(plainText(pieces.join(''))).not.toMatch(CONTROL);
        },
      ),
      { numRuns: 40 },
    );
  });
});

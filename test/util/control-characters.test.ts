import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showControls, withoutHidden } from '../../src/util/control-characters.js';

describe('words of others on a terminal', () => {
  it.each<[string, string, string]>([
    ['escape sequences', '\u001b[2J\u001b]0;pwned\u0007', '\\u{1b}[2J\\u{1b}]0;pwned\\u{7}'],
    ['the one-character escape of C1', '\u009b2J', '\\u{9b}2J'],
    ['backspaces and lone carriage returns', 'good\rbad\u0008', 'good\\u{d}bad\\u{8}'],
    ['overrides of the direction of text', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['tags', 'a\u{e0041}', 'a\\u{e0041}'],
    ['spaces of no width', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['line separators', 'a\u2028b', 'a\\u{2028}b'],
    ['half a surrogate pair', 'a\ud83d', 'a\\u{d83d}'],
  ])('%s are written out', (_name, text, shown) => {
    expect(showControls(text)).toBe(shown);
  });

  it.each(['two\nlines\tand a tab', 'Grüße, 👩‍🚀 می‌خواهم', ''])('%j stays as it is', (text) => {
    expect(showControls(text)).toBe(text);
  });

  it('line ends of Windows become plain ones', () => {
    expect(showControls('a\r\nb')).toBe('a\nb');
  });

  it('no text has a control left, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showControls(text);
        expect(/[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Cs}|[\u{e0000}-\u{e007f}]/u.test(shown)).toBe(false);
        expect(showControls(shown)).toBe(shown);
      }),
    );
  });
});

it('what hides words from people is taken out, and nothing else', () => {
  const hidden = String.fromCodePoint(0xe0069, 0xe0067, 0xe006e);
  expect(withoutHidden(`Says hi.${hidden}\u202e\u{e0101} 👩‍🚀 \n\t`)).toBe('Says hi. 👩‍🚀 \n\t');
});

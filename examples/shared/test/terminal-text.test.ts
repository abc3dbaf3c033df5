import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalText } from '../terminal-text.js';

function read(...chunks: readonly (string | Uint8Array)[]): string {
  const text = new TerminalText();
  return chunks.map((chunk) => text.add(Buffer.from(chunk as string))).join('') + text.flush();
}

describe('the output of a terminal', () => {
  it.each([
    ['line ends', 'a\r\nb\r\n', 'a\nb\n'],
    ['colours', '\u001B[1;31mred\u001B[0m', 'red'],
    ['a title', '\u001B]0;evil\u0007x\u001B]2;evil\u001B\\y', 'xy'],
    ['a link and a clipboard', '\u001B]8;;http://a\u001B\\text\u001B]8;;\u001B\\\u001B]52;c;aGk=\u0007', 'text'],
    ['a device string', '\u001BPq#0\u001B\\a', 'a'],
    ['sequences of one byte', '\u009B31mred\u009D0;t\u009Cx', 'redx'],
    ['a character set', '\u001B(Ba', 'a'],
    ['a progress bar', '10 %\r20 %\r100 %\n', '100 %\n'],
    ['a shorter line over a longer one', 'long line\rab\n', 'abng line\n'],
    ['an erased line', 'long line\r\u001B[Kab\n', 'ab\n'],
    ['a backspace', 'abd\bc', 'abc'],
    ['bells and other control characters', 'a\u0007\u0000\u000Eb\u007F', 'ab'],
    ['half of a pair that was written over', '😀\bx', '\uFFFDx'],
    ['a sequence that a line end breaks off', '\u001B[31\nx', 'x'],
  ])('is text to read: %s', (_, from, to) => {
    expect(read(from)).toBe(to);
  });

  it('reads the same however it is cut, and leaves no control character', () => {
    const piece = fc.constantFrom(
      ...[
        '\u001B',
        '[',
        ']',
        '\u001B[2K',
        '\u001B]0;',
        '\u0007',
        '\u009B',
        '\\',
        '31m',
        '\r',
        '\n',
        '\b',
        'ä',
        '😀',
        'ab',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''));
        const places = [0, ...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted((a, b) => a - b);
        const chunks = places.slice(1).map((end, at) => bytes.subarray(places[at], end));
        expect(read(...chunks)).toBe(read(bytes));
        expect(read(bytes)).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(read(bytes)).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  it('hands on a line that never ends in pieces', () => {
    const line = read('x'.repeat(1_000_000), '\rab'.repeat(100_000));
    expect(line.slice(0, 990_000)).toBe('x'.repeat(990_000));
  });

  it('tells what a program says to the terminal itself, a bounded part of it', () => {
    const told: string[] = [];
    const text = new TerminalText((content) => told.push(content));
    text.add(Buffer.from(`\u001B]0;ti`));
    text.add(Buffer.from(`tle\u0007\u001BP${'x'.repeat(1000)}\u001B\\`));
    expect(told).toEqual(['0;title', 'x'.repeat(200)]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText, type TextEdit } from '../../src/files/edit-text.js';
import { toLf } from '../../src/files/line-ends.js';

const one = (oldString: string, newString: string, replaceAll = false): TextEdit => ({
  oldString,
  newString,
  replaceAll,
});
const edit = (text: string, ...edits: Parameters<typeof one>) => editText(text, [one(...edits)], 'a.ts');

describe('an edit', () => {
  it('replaces the one place', () => {
    expect(edit('a\nb\nc\n', 'b\nc', 'x')).toEqual({ text: 'a\nx\n', count: 1, loose: [] });
  });

  it('takes signs of replacement patterns to the letter', () => {
    expect(edit('a', 'a', `$& $1 $$ $'`).text).toBe(`$& $1 $$ $'`);
  });

  it('fits \\n to the line ends of the place, and keeps all others', () => {
    expect(edit('a\r\nb\r\nc\nd\n', 'a\nb', 'x\ny\nz').text).toBe('x\r\ny\r\nz\r\nc\nd\n');
    expect(edit('a\r\nb\r\nc\nd\n', 'c\nd', 'x\ny').text).toBe('a\r\nb\r\nx\ny\n');
    expect(edit('a\r\nb\r\n', 'a', 'x\ny').text).toBe('x\r\ny\r\nb\r\n');
    expect(edit('a\r\nb', 'a\r\nb', 'x\r\ny').text).toBe('x\r\ny');
  });

  it('names the lines of all places, and replaces them all if asked to', () => {
    expect(() => edit('a\nb\na\n', 'a', 'x')).toThrow(
      'old_string is in a.ts 2 times, at the lines 1, 3. Give more of the text around it, or set replace_all.',
    );
    expect(edit('a\r\nb\r\na\r\n', 'a\n', 'x\n', true)).toEqual({ text: 'x\r\nb\r\nx\r\n', count: 2, loose: [] });
  });

  it('says that there is nothing to do', () => {
    expect(() => edit('a', '', 'x')).toThrow('old_string is empty');
    expect(() => edit('a', 'a', 'a')).toThrow('are the same');
  });

  it.each([
    [
      'const a = 1;\nfoo();\n  bar( x );\n',
      'foo();\n\tbar(x);\n',
      /nearest place is at lines 2-3; there differ:\n {2}line 3: the file has " {2}bar\( x \);", old_string has "\\tbar\(x\);" \(only blanks differ\)$/,
    ],
    ['if (a) {\n  b();\n}\n', '  b() ;', /nearest place is at line 2;.*\(only blanks differ\)$/s],
    [
      'let total = price * count;\n',
      'let total = price * counts;',
      /line 1: the file has "let total = price \* count;", old_string has "let total = price \* counts;"$/,
    ],
    ['a\nb', 'b\nc\nd', /line 3: the file has ended; old_string continues with "c"/],
    ['one\ntwo\n', 'nothing like it at all', /Nothing in it is like it: read the file again\.$/],
    ['', 'x', /Nothing in it is like it/],
    [
      'let a\u00a0b = 1;',
      'let a b = 1;',
      /has "let a\\u00a0b = 1;", old_string has "let a b = 1;" \(only blanks differ\)$/,
    ],
    [
      'say("café")',
      'say("cafe\u0301")',
      /has "say\(\\"café\\"\)", old_string has "say\(\\"cafe\\u0301\\"\)" \(the same letters/,
    ],
    ['using System;', '\ufeffusing System;', /old_string has "\\ufeffusing System;"/],
    [
      'one\u200btwo',
      'onetwo',
      /has "one\\u200btwo", old_string has "onetwo" \(only signs that are not shown differ\)$/,
    ],
    [`${'x'.repeat(500)}a`, `${'x'.repeat(500)}b`, /has "…x{60}a", old_string has "…x{60}b"$/],
    ['a\nb\n', '2\tb', /begin with the line numbers that read shows/],
    ['a\nb\n', '     1\ta\n     2\tb\n', /begin with the line numbers that read shows/],
    ['a\n', '\n\n', /Nothing in it is like it/],
  ])('not found in %j says where it nearly is: %j', (text, wanted, message) => {
    expect(() => edit(text, wanted, 'other')).toThrow(message);
  });

  it('changes nothing outside of the place, whatever the line ends', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '😀'), maxLength: 4 });
    const end = fc.constantFrom('\n', '\r\n');
    const text = fc.array(fc.tuple(line, end), { maxLength: 8 }).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const whole = `${before}<<here>>${after}`;
        const { text: edited } = edit(whole, '<<here>>', 'new\nlines');
        expect(edited.startsWith(before) && edited.endsWith(after)).toBe(true);
        expect(toLf(edited)).toBe(`${toLf(before)}new\nlines${toLf(after)}`);
      }),
    );
  });

  it('looks for the nearest place in a long file without trying every pair of lines', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `line number ${at} of many`).join('\n');
    const wanted = Array.from({ length: 200 }, (_, at) => `line number ${10_000 + at} of plenty`).join('\n');
    expect(() => edit(text, wanted, 'x')).toThrow(/nearest place is at lines \d+-\d+/);
  });
});

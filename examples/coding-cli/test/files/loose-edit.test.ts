import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText } from '../../src/files/edit-text.js';

const edit = (text: string, oldString: string, newString: string, replaceAll = false) =>
  editText(text, [{ oldString, newString, replaceAll }], 'a.ts');

describe('an edit whose text differs from the file in blanks', () => {
  it.each([
    ['blanks at the end of lines', 'a  \nb\t\nc\n', 'a\nb', 'a\nx', 'a  \nx\nc\n'],
    ['blanks at the end of the given lines', 'a\nb\n', 'a \nb ', 'x\nb ', 'x\nb\n'],
    [
      'a further indentation',
      'if (a) {\n    b();\n    c();\n}\n',
      'b();\nc();\n',
      'b();\nd();\n',
      'if (a) {\n    b();\n    d();\n}\n',
    ],
    ['a lesser indentation', '  b();\n  c();\n', '    b();\n    c();', '    b();\n    d();', '  b();\n  d();\n'],
    [
      'tabs for blanks',
      'f() {\n\tif (a) {\n\t\tb();\n\t}\n}\n',
      '    if (a) {\n        b();\n    }',
      '    if (a) {\n        if (c) {\n            b();\n        }\n    }',
      'f() {\n\tif (a) {\n\t\tif (c) {\n\t\t\tb();\n\t\t}\n\t}\n}\n',
    ],
    ['blanks for tabs', '  a\n    b\n', '\ta\n\t\tb\n', '\ta\n\t\tc\n', '  a\n    c\n'],
    ['line ends too', '  a\r\n  b\r\n', 'a\nb', 'a\nc\nd', '  a\r\n  c\r\n  d\r\n'],
    ['a blank line with blanks', 'a\n  \nb\n', 'a\n\nb', 'a\n\nc', 'a\n  \nc\n'],
    ['a last line without its end', '  a\n  b', 'a\nb\n', 'a\nc\n', '  a\n  c'],
    ['lines that go', '  a\n  b\n  c\n', '    b\n', '', '  a\n  c\n'],
    ['a line that comes before one', '  a\n  b\n', 'a\nb', 'a\nx\nb', '  a\n  x\n  b\n'],
  ])('is made at the one place there is: %s', (_kind, text, wanted, replacement, result) => {
    expect(edit(text, wanted, replacement).text).toBe(result);
  });

  it('tells which lines it was made at, as they stand in the file', () => {
    expect(edit('x\n\tb();  \n', '  b();', '  c();')).toEqual({
      text: 'x\n\tc();\n',
      count: 1,
      loose: [{ edit: 1, first: 2, lines: ['\tb();  '], differsIn: 'indentation' }],
    });
    expect(edit('b(); \n', 'b();\n', 'c();\n').loose).toEqual([
      { edit: 1, first: 1, lines: ['b(); '], differsIn: 'blanks at the end of lines' },
    ]);
  });

  it('takes the place that is there to the letter, whatever else is like it', () => {
    expect(edit('\ta;\n  a;\n', '  a;\n', '  b;\n')).toMatchObject({ text: '\ta;\n  b;\n', loose: [] });
    expect(edit('\ta;\n  a; \n', '  a;\n', '  b;\n').text).toBe('\ta;\n  b;\n');
  });

  it('is not made if there are two such places, and names their lines', () => {
    expect(() => edit('\ta;\nb\n\ta;\n', '  a;', '  c;')).toThrow(
      'old_string is in a.ts only with other blanks, and that 2 times, at the lines 1, 3. Give more of the text around it, or set replace_all.',
    );
    expect(edit('\ta;\nb\n\t\ta;\n', '  a;', '  c;', true).text).toBe('\tc;\nb\n\t\tc;\n');
  });

  it('is not made if the new lines could be indented in two ways', () => {
    // Two blanks more, or twice as many.
    expect(() => edit('x {\n    a;\n    b;\n}\n', '  a;\n  b;', '  if (c) {\n    a;\n  }')).toThrow(
      'old_string is in a.ts at lines 2-3, but with another indentation, and how new_string is to be indented there is not clear. Read lines 2-3 again, and give both texts with the blanks of the file.',
    );
    expect(edit('x {\n    a;\n    b;\n}\n', '  a;\n  b;', '  c;').text).toBe('x {\n    c;\n}\n');
    // One line moved to the right, the other to the left.
    expect(() => edit('    a\nb\n', 'a\n  b', 'c\n  d')).toThrow('is not clear');
  });

  it('is not made in the middle of a line, or for blanks alone', () => {
    expect(() => edit('x = a;\n', '  a;', '  b;')).toThrow('old_string is not in a.ts.');
    expect(() => edit('a\n \n', '\t', 'b')).toThrow('old_string is not in a.ts.');
    expect(() => edit('a b\n', 'a  b', 'c')).toThrow('only blanks differ');
  });

  it('keeps every other line as it is, and reads as the edit of the same text without blanks', () => {
    const line = fc.constantFrom('a', 'b', 'c;', '}', '');
    const lines = fc.array(line, { minLength: 1, maxLength: 6 });
    const blanks = fc.constantFrom('', ' ', '\t', '    ', ' \t');
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(
        lines,
        lines,
        lines,
        fc.array(blanks, { minLength: 40, maxLength: 40 }),
        end,
        (before, old, now, around, eol) => {
          const sought = ['<<', ...old, '>>'];
          const put = ['<<', ...now, '>>'];
          fc.pre(sought.join('\n') !== put.join('\n'));
          const file = [...before, ...sought, ...before]
            .map((each, at) => `\t${each}${around[at] ?? ''}${eol}`)
            .join('');
          const given = (all: readonly string[]) => all.map((each) => `    ${each}\n`).join('');
          const { text } = edit(file, given(sought), given(put));
          const essence = text.split(eol).map((each) => each.trim());
          expect(essence).toEqual([...before, ...put, ...before, '']);
          const outside = (all: string) => [
            all.split(eol).slice(0, before.length),
            all.split(eol).slice(-before.length - 1),
          ];
          expect(outside(text)).toEqual(outside(file));
        },
      ),
    );
  });
});

describe('several edits in one call', () => {
  const both = (text: string, ...pairs: readonly (readonly [string, string])[]) =>
    editText(
      text,
      pairs.map(([oldString, newString]) => ({ oldString, newString, replaceAll: false })),
      'a.ts',
    );

  it('are made one after another, each in what the one before it has made', () => {
    expect(both('a\nb\n', ['a', 'x\ny'], ['y\nb', 'z'])).toMatchObject({ text: 'x\nz\n', count: 2 });
  });

  it('name the one that cannot be made, and none of them counts', () => {
    expect(() => both('a\nb\nb\n', ['a', 'x'], ['b', 'y'])).toThrow(
      'Edit 2 of 2: old_string is in a.ts 2 times, at the lines 2, 3. Give more of the text around it, or set replace_all. Line numbers count the edits before it.\nNothing was changed: none of the edits was made.',
    );
    expect(() => both('a\nb\n', ['a', 'x'], ['1\ta', 'y'])).toThrow(/Edit 2 of 2: .*line numbers that read shows/);
  });
});

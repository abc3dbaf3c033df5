import { describe, expect, it } from 'vitest';
import { foldedOutput, openedOutput } from '../../src/ui/output-rows.js';
import { textOfRow } from '../../src/ui/rows.js';

const SHAPE = { head: 2, tail: 2, named: 2 };
const shown = (text: string): string[] => foldedOutput(text, SHAPE, 60).rows.map(textOfRow);

describe('a long output', () => {
  it('of a failure keeps its beginning, its end and the names of what failed', () => {
    const passed = Array.from({ length: 20 }, (_, index) => `✔ passes ${index}`);
    const text = [
      '> test',
      '> node --test',
      ...passed,
      '✖ adds two numbers (1 ms)',
      '  at add.js:2',
      ...passed,
      'tests 41',
      'fail 1',
    ];
    expect(shown(text.join('\n'))).toEqual([
      '  │ > test',
      '  │ > node --test',
      '  │ … 20 more lines (Ctrl-O)',
      '  │ ✖ adds two numbers (1 ms)',
      '  │ … 21 more lines (Ctrl-O)',
      '  │ tests 41',
      '  │ fail 1',
    ]);
  });

  it.each([
    'not ok 3 - adds',
    ' FAIL  src/add.test.ts > adds',
    '  ● adds › numbers',
    '--- FAIL: TestAdd (0.00s)',
    'AssertionError: expected 5',
    'FAILED tests/test_add.py::test_add',
  ])('names a failure of many runners: %s', (line) => {
    const text = ['a', 'b', ...'cdefgh'.split(''), line, ...'ijklmn'.split('')].join('\n');
    expect(shown(text).join('\n')).toContain(line.trim());
  });

  it('is opened in full, up to 20,000 lines', () => {
    const text = Array.from({ length: 20_001 }, (_, index) => `line ${index}`).join('\n');
    const rows = openedOutput(text, 40).map(textOfRow);
    expect(rows).toHaveLength(20_001);
    expect(rows.at(-1)).toBe('  │ … 1 more lines');
  });
});

describe('a short output', () => {
  it('is shown in full, and nothing is folded', () => {
    expect(foldedOutput('one\ntwo\nthree', SHAPE, 60)).toMatchObject({ isFolded: false });
    expect(shown('one\ntwo\nthree')).toEqual(['  │ one', '  │ two', '  │ three']);
    expect(shown('')).toEqual([]);
  });
});

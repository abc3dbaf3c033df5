import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfRow } from '../../src/ui/rows.js';
import { countsOf } from 'responses-loop-example-shared/call-view.js';
import { wordRows } from '../../src/ui/word-changes.js';

const LOOKS = { same: { dim: true }, added: { color: 'green' }, removed: { color: 'red' } } as const;
const line = (kind: 'same' | 'added' | 'removed', text: string) => ({ kind, text });
const marked = (row: readonly { text: string; inverse?: boolean }[] = []): string[] =>
  row.filter(({ inverse }) => inverse === true).map(({ text }) => text);

describe('a difference', () => {
  it('counts the lines that it adds and removes', () => {
    expect(countsOf([[line('same', 'a'), line('removed', 'b'), line('added', 'c'), line('added', 'd')]])).toBe('+2 −1');
  });

  it('marks the words that changed in lines that belong together', () => {
    const rows = wordRows([line('removed', 'return a - b;'), line('added', 'return a + b;')], LOOKS);
    expect(rows.map(marked)).toEqual([['-'], ['+']]);
  });

  it('marks nothing in lines that have little in common, or are not as many', () => {
    expect(wordRows([line('removed', 'abc def'), line('added', 'ghi jkl')], LOOKS).flatMap(marked)).toEqual([]);
    const more = [line('removed', 'one two'), line('added', 'one two'), line('added', 'three')];
    expect(wordRows(more, LOOKS).flatMap(marked)).toEqual([]);
  });

  it('changes no letter of a line', () => {
    const lines = fc.record({
      kind: fc.constantFrom('same' as const, 'added' as const, 'removed' as const),
      text: fc.string({ unit: fc.constantFrom('a', 'b', ' ', '-', '漢', '\u0301', '.') }),
    });
    fc.assert(
      fc.property(fc.array(lines), (hunk) => {
        expect(wordRows(hunk, LOOKS).map(textOfRow)).toEqual(hunk.map(({ text }) => text));
      }),
    );
  });
});

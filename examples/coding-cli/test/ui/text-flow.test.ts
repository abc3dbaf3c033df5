import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfRow, widthOfRow } from '../../src/ui/rows.js';
import { TextFlow } from '../../src/ui/text-flow.js';

const PIECE = fc.constantFrom(
  'word ',
  '**',
  '`',
  '- item ',
  '\n',
  '\n```\n',
  '# ',
  'longwordwithoutspaces',
  ' ',
  '漢字',
  '12. ',
  '\u001B[31m',
);

function flow(deltas: readonly string[], width = 20): string[] {
  const text = new TextFlow(() => width);
  const rows = deltas.flatMap((delta) => text.push(delta));
  return [...rows, ...text.end()].map(textOfRow);
}

describe('a streamed answer', () => {
  it('has the same rows, however its text was cut', () => {
    fc.assert(
      fc.property(fc.array(PIECE), fc.array(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('');
        const cuts: string[] = [];
        for (let [at, index] = [0, 0]; at < text.length; index += 1) {
          const size = sizes[index % Math.max(1, sizes.length)] ?? 3;
          cuts.push(text.slice(at, at + size));
          at += size;
        }
        expect(flow(cuts)).toEqual(flow([text]));
      }),
    );
  });

  it('never has a row wider than it may be, also while it is written', () => {
    fc.assert(
      fc.property(fc.array(PIECE), (pieces) => {
        const text = new TextFlow(() => 20);
        for (const piece of pieces) {
          for (const finished of text.push(piece)) expect(widthOfRow(finished)).toBeLessThanOrEqual(20);
          expect(widthOfRow(text.open)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it('finishes a row as soon as the next has begun', () => {
    const text = new TextFlow(() => 10);
    expect(text.push('one two').map(textOfRow)).toEqual([]);
    expect(text.push(' three').map(textOfRow)).toEqual(['one two']);
    expect(textOfRow(text.open)).toBe('three');
  });

  it('shows headings, bullets, bold and code without their marks', () => {
    expect(flow(['# Title\n- **one** `two`\n2 ** 3'])).toEqual(['Title', '• one two', '2 ** 3']);
  });

  it('puts the rows of an item below each other', () => {
    expect(flow(['- one two three four five'])).toEqual(['• one two three four', '  five']);
  });

  it('shows code as it is', () => {
    expect(flow(['```js\nconst a = **b**;\n```\nend'])).toEqual(['```js', '  const a = **b**;', '```', 'end']);
  });

  it('lets no escape sequence through that comes in two pieces', () => {
    expect(flow(['a\u001B[3', '1mb\n'])).toEqual(['ab']);
  });
});

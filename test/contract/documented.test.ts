import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.js';

const HEADING = '## Differences from the stock provider';
const RIGHT = { ours: 'this package', stock: 'the stock provider', either: 'both' } as const;

/** The cells of the table under the heading. */
async function documented(): Promise<string[][]> {
  const text = await readFile(new URL('../../docs/compatibility.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split(HEADING);
  const [own = ''] = section.split('\n## ');
  const rows = own.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the differences from the stock provider', () => {
  it('stand in the docs as they stand on the list', async () => {
    const listed = DIFFERENCES.map(({ what, stock, ours, right, why }) => [what, stock, ours, RIGHT[right], why]);
    expect(await documented()).toEqual(listed);
  });

  it('have no cell that breaks the table, and no name twice', () => {
    const cells = DIFFERENCES.flatMap(({ what, stock, ours, why }) => [what, stock, ours, why]);
    expect(cells.filter((cell) => /[|\n]/.test(cell))).toEqual([]);
    expect(new Set(DIFFERENCES.map(({ what }) => what)).size).toBe(DIFFERENCES.length);
  });
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.js';
import type { Difference } from './differences/difference.js';
import { AZURE_DIFFERENCES } from './peers/azure.js';
import { OPEN_RESPONSES_DIFFERENCES } from './peers/open-responses/differences.js';
import { XAI_DIFFERENCES } from './peers/xai/differences.js';

const TABLES: readonly (readonly [provider: string, pages: readonly string[], differences: readonly Difference[]])[] = [
  ['the stock provider', ['differences', 'differences-requests', 'differences-histories'], DIFFERENCES],
  ['Azure', ['differences-azure-xai'], AZURE_DIFFERENCES],
  ['xAI', ['differences-azure-xai'], XAI_DIFFERENCES],
  ['Open Responses', ['differences-open-responses'], OPEN_RESPONSES_DIFFERENCES],
];
const RIGHT = { ours: 'this package', stock: 'the stock provider', either: 'both' } as const;

/** The rows of all tables of the pages. If a page has a heading for the provider, only the rows below this heading. */
async function documented(provider: string, pages: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(
    pages.map((page) => readFile(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')),
  );
  const rows = texts.flatMap((text) => {
    const [, section] = text.split(`\n## ${provider}\n`);
    const own = section?.split('\n## ')[0] ?? text;
    return own.split('\n').filter((line) => line.startsWith('|'));
  });
  return rows.filter((row) => !row.startsWith('| What |') && !row.startsWith('| --- |')).toSorted();
}

/** A page that names the provider spares the rows the name. */
function nameIn(provider: string, what: string): string {
  return what.startsWith(`${provider}: `) ? what.slice(provider.length + 2) : what;
}

describe.each(TABLES)('the differences from %s', (provider, pages, differences) => {
  it('stand in the docs as they stand on the list', async () => {
    const listed = differences.map(
      ({ what, stock, ours, right, why }) =>
        `| ${[nameIn(provider, what), stock, ours, RIGHT[right], why].join(' | ')} |`,
    );
    expect(await documented(provider, pages)).toEqual(listed.toSorted());
  });

  it('have no cell that breaks the table, and no name twice', () => {
    const cells = differences.flatMap(({ what, stock, ours, why }) => [what, stock, ours, why]);
    expect(cells.filter((cell) => /[|\n]/.test(cell))).toEqual([]);
    expect(new Set(differences.map(({ what }) => what)).size).toBe(differences.length);
  });
});

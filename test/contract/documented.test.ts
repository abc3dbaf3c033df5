import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DIFFERENCES } from './differences.js';
import type { Difference } from './differences/difference.js';
import { AZURE_DIFFERENCES } from './peers/azure.js';
import { OPEN_RESPONSES_DIFFERENCES } from './peers/open-responses/differences.js';
import { XAI_DIFFERENCES } from './peers/xai/differences.js';

const OTHERS = 'differences-other-providers.md';
const TABLES: readonly (readonly [heading: string, page: string, differences: readonly Difference[]])[] = [
  ['# Differences from the stock provider', 'differences.md', DIFFERENCES],
  ['## Azure', OTHERS, AZURE_DIFFERENCES],
  ['## xAI', OTHERS, XAI_DIFFERENCES],
  ['## Open Responses', OTHERS, OPEN_RESPONSES_DIFFERENCES],
];
const RIGHT = { ours: 'this package', stock: 'the stock provider', either: 'both' } as const;

/** The rows of all tables under the heading, which are by topic there. */
async function documented(heading: string, page: string): Promise<string[]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(`${heading}\n`);
  const [level = ''] = heading.split(' ');
  const [own = ''] = section.split(`\n${level} `);
  const rows = own.split('\n').filter((line) => line.startsWith('|'));
  return rows.filter((row) => !row.startsWith('| What |') && !row.startsWith('| --- |')).toSorted();
}

/** A heading that names the provider spares the rows below it the name. */
function nameIn(heading: string, what: string): string {
  const provider = `${heading.slice(heading.indexOf(' ') + 1)}: `;
  return what.startsWith(provider) ? what.slice(provider.length) : what;
}

describe.each(TABLES)('%s', (heading, page, differences) => {
  it('stand in the docs as they stand on the list', async () => {
    const listed = differences.map(
      ({ what, stock, ours, right, why }) =>
        `| ${[nameIn(heading, what), stock, ours, RIGHT[right], why].join(' | ')} |`,
    );
    expect(await documented(heading, page)).toEqual(listed.toSorted());
  });

  it('have no cell that breaks the table, and no name twice', () => {
    const cells = differences.flatMap(({ what, stock, ours, why }) => [what, stock, ours, why]);
    expect(cells.filter((cell) => /[|\n]/.test(cell))).toEqual([]);
    expect(new Set(differences.map(({ what }) => what)).size).toBe(differences.length);
  });
});

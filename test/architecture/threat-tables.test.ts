import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** A page, and how many rows its table has at least. */
const PAGES: readonly (readonly [path: string, rows: number])[] = [
  ['docs/threats.md', 24],
  ['docs/threats-tools.md', 16],
  ['examples/agent-runtime/README.md', 15],
  ['examples/chat-server/README.md', 25],
  ['examples/coding-cli/README.md', 25],
];

interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** The tests a row names, each as a file and a text that stands in quotes in it. Several test files run a contract. */
const namedIn = (row: string): readonly NamedTest[] =>
  [...row.matchAll(/`((?:test|examples)\/[^`]+(?:\.test|-contract)\.ts)` "([^"]+)"/g)].map(
    ([, file = '', name = '']) => ({
      file,
      name,
    }),
  );

function isThere({ file, name }: NamedTest): boolean {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return ["'", '"', '`'].some((quote) => text.includes(quote + name + quote));
}

describe.each(PAGES)('the threats in %s', (path, least) => {
  const [, behind = ''] = readFileSync(path, 'utf8').split('## Threats and protections\n');
  const [table = ''] = behind.split('\n## ');
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);

  it('each name a test that holds them', () => {
    expect(rows.length).toBeGreaterThanOrEqual(least);
    expect(rows.filter((row) => row.split(' | ').length !== 3 || namedIn(row).length === 0)).toEqual([]);
    // One that is written in another way would not be looked for.
    expect(table.split(/(?:\.test|-contract)\.ts/).length - 1).toBe(rows.flatMap(namedIn).length);
  });

  it('name tests that are there', () => {
    expect(rows.flatMap(namedIn).filter((test) => !isThere(test))).toEqual([]);
  });
});

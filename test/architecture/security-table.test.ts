import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const [, table = ''] = readFileSync('docs/security.md', 'utf8').split('## Threats, and what holds them');
const [ownTable = ''] = table.split('\n## ');
const rows = ownTable
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2);

/** The tests a row names, each as a file and a text that stands in quotes in it. */
const namedIn = (row: string) =>
  [...row.matchAll(/`(test\/[^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));

const isThere = ({ file, name }: { readonly file: string; readonly name: string }): boolean =>
  existsSync(file) && readFileSync(file, 'utf8').includes(`'${name}'`);

describe('the threats in docs/security.md', () => {
  it('each name a test that holds them', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => namedIn(row).length === 0)).toEqual([]);
    // One that is written in another way would not be looked for.
    expect(ownTable.split('`test/').length - 1).toBe(rows.flatMap(namedIn).length);
  });

  it('name tests that are there', () => {
    expect(rows.flatMap(namedIn).filter((test) => !isThere(test))).toEqual([]);
  });
});

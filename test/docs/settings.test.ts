import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/limits.js';
import { DOCS, README, readPage } from './support/pages.js';
import { readSettings } from './support/read-settings.js';
import { withSettingsTables } from './support/settings-tables.js';

const settings = readSettings();
const names = new Set(settings.map(({ name }) => name));
const PAGE = readPage('docs/configuration.md');

/** First cells of tables, `sockets.max` and the like. */
const firstCells = (text: string): string[] => [...text.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = '']) => name);

/** Something else of the same name: an option of a call, a code of an error, a member of an MCP server. */
const NAMESAKES: ReadonlySet<string> = new Set([
  'docs/call-options.md maxToolCalls',
  'docs/errors.md journal',
  'docs/testing.md fetch',
  // The table of its values.
  'docs/transports.md transport',
]);

describe('the tables of settings in docs/configuration.md', () => {
  it('are what the types say; npm run docs:settings writes them anew', () => {
    expect(settings.length).toBeGreaterThan(50);
    expect(withSettingsTables(PAGE.text, settings)).toBe(PAGE.text);
  });

  it('hold each setting once, and no other page has a table of them', () => {
    expect(
      firstCells(PAGE.text)
        .filter((name) => names.has(name))
        .toSorted(),
    ).toEqual([...names].toSorted());
    const others = [README, ...DOCS].filter(({ path }) => path !== PAGE.path);
    const found = others.flatMap(({ path, text }) => firstCells(text).map((name) => `${path} ${name}`));
    expect(found.filter((row) => names.has(row.split(' ')[1] ?? '') && !NAMESAKES.has(row))).toEqual([]);
  });

  it('name the defaults of the limits', () => {
    const shown = settings
      .filter(({ name }) => name.startsWith('limits.'))
      .map(({ name, byDefault = '' }) => [
        name.slice('limits.'.length),
        Number.parseInt(byDefault.replaceAll(',', ''), 10),
      ]);
    expect(Object.fromEntries(shown)).toEqual(DEFAULT_LIMITS);
  });
});

describe('a table of settings', () => {
  const [first] = settings;
  const place = (list: string): string => `<!-- settings: ${list} -->\n<!-- /settings -->`;
  const only = first === undefined ? [] : [first];

  it('is not written where a setting stands in two', () => {
    expect(() => withSettingsTables(`${place('baseURL')}\n${place('baseURL')}`, only)).toThrow(
      'The setting baseURL stands in two tables.',
    );
  });

  it('is not written where a setting stands in none, or is unknown', () => {
    expect(() => withSettingsTables('', only)).toThrow('In no table: baseURL.');
    expect(() => withSettingsTables(place('baseUrl'), only)).toThrow('There is no setting baseUrl.');
  });
});

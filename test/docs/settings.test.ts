import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS, LOOP_LIMITS, type NumberRows, RETRIES, SOCKETS, TIMEOUTS } from '../../src/core/limits.js';
import { DOCS, type Page, README, SETTINGS } from './support/pages.js';
import { readSettings } from './support/read-settings.js';
import { withSettingsTables } from './support/settings-tables.js';

type NumberRow = NumberRows[string];

const TABLES: Readonly<Record<string, NumberRows>> = {
  '': LOOP_LIMITS,
  'timeouts.': TIMEOUTS,
  'retry.': RETRIES,
  'sockets.': SOCKETS,
  'limits.': LIMITS,
};

/** What counts by the tables: all of the library but the tables themselves. */
const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && path !== join('core', 'limits.ts'))
  .map((path) => readFileSync(join('src', path), 'utf8'));
/** The tests that set a limit. */
const TESTS = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('docs'))
  .map((path) => readFileSync(join('test', path), 'utf8'));
const isIn = (texts: readonly string[], name: string): boolean =>
  texts.some((text) => new RegExp(String.raw`\b${name}\b`).test(text));

const settings = readSettings();
const names = new Set(settings.map(({ name }) => name));
const TEXT = SETTINGS.map(({ text }) => text).join('\n');

/** First cells of tables, `sockets.max` and the like. */
const firstCells = (text: string): string[] => [...text.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, name = '']) => name);

/** Something else of the same name: an option of a call, a code of an error, a member of an MCP server. */
const NAMESAKES: ReadonlySet<string> = new Set([
  'docs/call-options.md maxToolCalls',
  'docs/errors.md journal',
  'docs/recordings.md fetch',
  // The table of its values.
  'docs/transports.md transport',
]);

describe('the tables of settings in docs', () => {
  it('are what the types say; npm run docs:settings writes them anew', () => {
    expect(settings.length).toBeGreaterThan(50);
    expect(withSettingsTables(SETTINGS, settings)).toEqual(SETTINGS);
  });

  it('hold each setting once, and no other page has a table of them', () => {
    // The table of what a model and a call may set for themselves names many of them again.
    const [own = ''] = /^## Settings for one model[^]*?(?=^## )/m.exec(TEXT) ?? [];
    expect(
      firstCells(TEXT.replace(own, ''))
        .filter((name) => names.has(name))
        .toSorted(),
    ).toEqual([...names].toSorted());
    const others = [README, ...DOCS].filter(({ path }) => SETTINGS.every((page) => page.path !== path));
    const found = others.flatMap(({ path, text }) => firstCells(text).map((name) => `${path} ${name}`));
    expect(found.filter((row) => names.has(row.split(' ')[1] ?? '') && !NAMESAKES.has(row))).toEqual([]);
  });

  it.each(Object.entries(TABLES))(
    'name the defaults of the rows of %s, and each row is used and set by a test',
    (group, rows) => {
      const shown = new Map(settings.map(({ name, byDefault = '' }) => [name, byDefault]));
      const wrong = Object.entries<NumberRow>(rows).flatMap(([name, { byDefault }]) => {
        const said = shown.get(`${group}${name}`) ?? 'nothing';
        const number = byDefault?.toLocaleString('en-US');
        const isTold = byDefault === Infinity ? said === 'no limit' : number === undefined || said.startsWith(number);
        // The line to paste.
        return isTold ? [] : [`the comment of ${name} has to end with "@default ${number}", not "@default ${said}"`];
      });
      expect(wrong).toEqual([]);
      expect(Object.keys(rows).filter((name) => !isIn(SOURCES, name))).toEqual([]);
      const untested = Object.keys(rows).filter((name) => !isIn(TESTS, name));
      expect(untested, 'no test of its use in test/').toEqual([]);
    },
  );
});

describe('a table of settings', () => {
  const [first] = settings;
  const page = (list: string): Page => ({ path: '', text: `<!-- settings: ${list} -->\n<!-- /settings -->` });
  const only = first === undefined ? [] : [first];

  it('is not written if a setting is in two tables, even of two pages', () => {
    expect(() => withSettingsTables([page('baseURL, baseURL')], only)).toThrow('stands in two tables');
    expect(() => withSettingsTables([page('baseURL'), page('baseURL')], only)).toThrow(
      'The setting baseURL stands in two tables.',
    );
  });

  it('is not written where a setting stands in none, or is unknown', () => {
    expect(() => withSettingsTables([], only)).toThrow('In no table: baseURL.');
    expect(() => withSettingsTables([page('baseUrl')], only)).toThrow('There is no setting baseUrl.');
  });
});

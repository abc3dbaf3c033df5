import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { anchorsOf, codeOf, DOCS, localLinksOf, type Page, README, readPage } from './support/pages.js';

const INDEX = 'docs/README.md';
const OTHERS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'examples/agent-runtime/README.md',
  'examples/basics/README.md',
  'examples/chat-app/README.md',
  'examples/chat-server/README.md',
  'examples/coding-cli/README.md',
];

/** Where a link leads: to a file, and there to a heading. */
function problemOf(page: Page, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.path : join(dirname(page.path), path).replaceAll('\\', '/');
  if (!existsSync(file)) return `${target}: there is no ${file}`;
  if (anchor === undefined) return undefined;
  if (statSync(file).isDirectory()) return `${target}: a folder has no headings`;
  return anchorsOf(readPage(file)).includes(anchor) ? undefined : `${target}: ${file} has no such heading`;
}

/** The pages before the shelf of the reference. */
const GUIDES = localLinksOf({ ...readPage(INDEX), text: readPage(INDEX).text.split('\n## Reference')[0] ?? '' })
  .filter((target) => !target.includes('#'))
  .map((target) => readPage(join('docs', target)));

const pages = [README, ...DOCS, ...OTHERS.map(readPage)];

describe('the documentation', () => {
  it.each(pages.map((page) => [page.path, page] as const))('%s has no dead link', (_path, page) => {
    expect(localLinksOf(page).flatMap((target) => problemOf(page, target) ?? [])).toEqual([]);
  });

  it.each(DOCS.map((page) => [page.path, page] as const))(
    '%s links to nothing outside of docs, which alone is in the tarball and on the site',
    (_path, page) => {
      const outside = localLinksOf(page).filter((target) => !join(dirname(page.path), target).startsWith('docs'));
      expect(outside).toEqual([]);
    },
  );

  it.each(DOCS.map((page) => [page.path, page] as const))('%s begins with the question it answers', (_path, page) => {
    const [heading, , question] = page.text.split('\n');
    expect(heading).toMatch(/^# \S/);
    expect(question).toMatch(/^\*.+\?\*$/);
  });

  it('has an index that names each of its pages once', () => {
    const targets = localLinksOf(readPage(INDEX)).map((target) => `docs/${target}`);
    const expected = DOCS.map(({ path }) => path).filter((path) => path !== INDEX);
    expect(targets.filter((path) => expected.includes(path)).toSorted()).toEqual(expected.toSorted());
  });

  it.each(GUIDES.map((page) => [page.path, page] as const))(
    '%s leaves rules by number and tables of more than 12 rows to the reference',
    (_path, { text }) => {
      const prose = text.replaceAll(/^```[^]*?^```/gm, '');
      const tables = prose.match(/(?:^\|.*\n)+/gm) ?? [];
      expect(tables.filter((table) => table.split('\n').length - 3 > 12)).toEqual([]);
      expect(prose.match(/^\d+[.] [*][*].*/gm) ?? []).toEqual([]);
    },
  );

  it.each(DOCS.map((page) => [page.path, page] as const))('%s has no heading twice', (_path, page) => {
    const anchors = anchorsOf(page);
    expect(anchors.filter((anchor) => /-\d$/.test(anchor) && anchors.includes(anchor.replace(/-\d$/, '')))).toEqual([]);
  });

  it('imports the entry for a version of the AI SDK in all its code', () => {
    const bare = [README, ...DOCS].filter((page) =>
      codeOf(page, 'ts', 'tsx', 'js', 'jsx').some((code) => code.includes("from 'responses-loop'")),
    );
    expect(bare.map(({ path }) => path)).toEqual([]);
  });

  it('names every command of the command line', () => {
    const { text } = readPage('docs/commands.md');
    const names = Object.keys(COMMANDS);
    expect(
      names.filter(
        (name) => !text.includes(`npx responses-loop ${name} `) && !text.includes(`npx responses-loop ${name}\``),
      ),
    ).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [README, ...DOCS].flatMap(({ text }) =>
      [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});

describe('README.md', () => {
  it('is read in one go: it has fewer than 200 lines', () => {
    expect(README.text.split('\n').length).toBeLessThan(200);
  });

  it('leads to the index, and explains no setting that has a page', () => {
    expect(localLinksOf(README)).toContain('docs/README.md');
    expect(README.text).not.toMatch(/^\| `/m);
  });
});

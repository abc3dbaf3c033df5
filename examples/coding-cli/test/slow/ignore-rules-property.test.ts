import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IgnoreRules } from '../../src/files/ignore-rules.js';

const FILES = [
  ...['a', 'b', 'ab', 'aab', 'A', '.a', 'a.b', 'a b', 'a ', '#a', '!a', 'é', 'aé', '[a]', 'a*', 'a\\', 'z-', ']', '^'],
  ...['d/a', 'd/ab', 'd/.a', 'd/d/a', 'd/d/b', 'd/d/d/a.b', 'e/a', 'e/d/a', 'e/d/b/a', 'a.d/b', 'd/e/é', 'd/e/a b'],
];

let root = '';
let paths: string[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ignore-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  symlinkSync('d', join(root, 'link'));
  paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(\.git|link\/.*)(\/|$)/.test(path));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'd',
    'e',
    'ab',
    'A',
    'é',
    '.',
    ' ',
    '-',
    ']',
    '*',
    '**',
    '***',
    '?',
    '/',
    '/**/',
    '**/',
    '/**',
    '\\',
    '!',
  ],
  ...[
    '\\*',
    '\\ ',
    '\\a',
    '#',
    '^',
    '[ab]',
    '[!a]',
    '[^a]',
    '[a-c]',
    '[]a]',
    '[!]a]',
    '[a',
    '[]',
    '[é]',
    '[\\]]',
    '[a\\-z]',
  ],
  ...[
    '[[:alpha:]]',
    '[[:punct:]b]',
    '[[:nope:]]',
    '[[:alpha]',
    '[--z]',
    '[z-a]',
    '[a-]',
    '[[a]',
    '[^]]',
    '[!-z]',
    '{a,b}',
  ],
);
// Git up to 2.52 looks for `**` behind a literal start as if it stood at the start of the pattern.
const isClear = (line: string): boolean => !/^!?\/?[^/*?[\\]+\*\*/.test(line) || !line.includes('/');
const line = fc
  .tuple(
    fc.constantFrom('', '', '', '!', '/', '#'),
    fc.array(piece, { maxLength: 6 }),
    fc.constantFrom('', '', '/', ' ', '  ', '\r', '\t'),
  )
  .map(([start, pieces, end]) => start + pieces.join('') + end)
  .filter(isClear);
const rules = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));

it('leaves out what git check-ignore does, for any rules in three folders', () => {
  fc.assert(
    fc.property(rules, fc.option(rules), fc.option(rules), (top, below, deepest) => {
      for (const [folder, text] of [
        ['', top],
        ['d', below],
        ['d/d', deepest],
      ] as const) {
        const path = join(root, folder, '.gitignore');
        if (text === null) rmSync(path, { force: true });
        else writeFileSync(path, text);
      }
      const own = new IgnoreRules(root, []);
      const ours = paths.filter((path) => own.isIgnored(join(root, path), lstatSync(join(root, path)).isDirectory()));
      expect(ours.toSorted()).toEqual(ignoredByGit().toSorted());
    }),
    { numRuns: 2500 },
  );
});

function ignoredByGit(): string[] {
  try {
    const args = ['-c', 'core.excludesFile=/dev/null', 'check-ignore', '-z', '--no-index', '--stdin'];
    const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', args, { cwd: root, env, input: paths.join('\0'), encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);
  } catch (error) {
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

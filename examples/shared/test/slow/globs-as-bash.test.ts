import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommand } from '../../parse-command.js';
import { expandGlob } from '../../safe-globs.js';

const FILES = [
  ...[
    'a',
    'b',
    'ab',
    'aab',
    'A',
    '.a',
    '..b',
    'a.b',
    '-a',
    '-',
    'é',
    'éé',
    'aé',
    '[a]',
    '[',
    ']',
    'a]',
    '[a',
    '!a',
    'a*',
    'a?',
    'a\\',
    '\\*',
  ],
  ...['d/a', 'd/ab', 'd/.a', 'd/d/a', 'd/[a]', '.d/a', 'e/a', 'e/é', 'd/-a'],
];

let root = '';
let bash: (locale: string, word: string) => Promise<string[]>;
const children: ReturnType<typeof spawn>[] = [];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'globs-'));
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  symlinkSync('d', join(root, 'link'));
  const shells = new Map(['C', 'C.UTF-8'].map((locale) => [locale, startBash(locale)]));
  bash = (locale, word) => shells.get(locale)?.(word) ?? Promise.reject(new Error(locale));
});
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(root, { recursive: true, force: true });
});

/** One shell for all patterns: each line that it is sent is expanded. */
function startBash(locale: string): (word: string) => Promise<string[]> {
  const script = 'while IFS= read -r line; do eval "set -- $line"; printf "%s\\n" "$@" END; done';
  const child = spawn('bash', ['--norc', '--noprofile', '-c', script], {
    cwd: root,
    env: { LC_ALL: locale, PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (word) => {
    child.stdin.write(`${word}\n`);
    const found: string[] = [];
    for (let line = await lines.next(); line.value !== 'END' && line.done !== true; line = await lines.next())
      found.push(line.value);
    return found;
  };
}

const exact = [
  'a',
  'b',
  'd',
  'e',
  'A',
  'é',
  '.',
  '-',
  ']',
  '*',
  '**',
  '?',
  '/',
  '*/',
  '/*',
  '[ab]',
  '[]a]',
  '[a',
  '[',
  '[\\]]',
  '\\*',
  "'*'",
  '"["',
  "']'",
  '\\?',
  '[a\\-b]',
  '[a"]"b]',
  '!',
  '\\\\',
  '[.]',
];
const wide = [
  ...exact,
  '[!a]',
  '[^a]',
  '[a-c]',
  '[[:alpha:]]',
  '[[:nope:]]',
  '[[=a=]]',
  '[[.a.]b]',
  '[é]',
  '[!é]',
  '[]-a]',
  '[--z]',
  '[[a]',
  '[!]',
];
/** What is wide on purpose may be put together by chance. */
const isExact = (word: string): boolean => !/\[.*(-|[[][.:=])|\[[!^]|é/s.test(word);
const wordOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 7 }).map((found) => found.join(''));

/** What is there of what the policy looks at. */
function expanded(word: string): string[] | undefined {
  const { plain } = parseCommand(`ls ${word}`);
  const arg = typeof plain === 'string' ? undefined : plain[0]?.args[0];
  if (arg === undefined || !arg.isGlob || arg.value.startsWith('/') || arg.value.split('/').includes('..'))
    return undefined;
  const found = expandGlob(arg.pattern ?? '', root);
  if (typeof found === 'string') throw new Error(found);
  const isFolder = /\/\.?$/.test(arg.value);
  return found.map(({ name }) => name).filter((name) => existsSync(`${root}/${name}${isFolder ? '/.' : ''}`));
}

/** Nothing fits: bash leaves the word as it is. */
async function expandedByBash(locale: string, word: string): Promise<string[]> {
  const found = await bash(locale, word);
  return found.filter((name) => existsSync(`${root}/${name}`)).map((name) => normalize(name).replace(/\/$/, ''));
}

describe('patterns in commands', () => {
  it('stand for what bash puts in their place, as far as that does not depend on the locale', () =>
    fc.assert(
      fc.asyncProperty(wordOf(exact).filter(isExact), async (word) => {
        const ours = expanded(word)?.filter((name) => !name.includes('é'));
        if (ours === undefined) return;
        const theirs = (await expandedByBash('C.UTF-8', word)).filter((name) => !name.includes('é'));
        expect(ours.toSorted()).toEqual(theirs.toSorted());
      }),
      { numRuns: 6000 },
    ));

  it.each(['C', 'C.UTF-8'])('stand for at least what bash puts in their place, in the locale %s', (locale) =>
    fc.assert(
      fc.asyncProperty(wordOf(wide), async (word) => {
        const ours = expanded(word);
        if (ours === undefined) return;
        expect(ours).toEqual(expect.arrayContaining(await expandedByBash(locale, word)));
      }),
      { numRuns: 6000 },
    ),
  );
});

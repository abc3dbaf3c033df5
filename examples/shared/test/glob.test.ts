import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGlob, type GlobOptions } from '../glob.js';

const FILES: GlobOptions = { style: 'files' };
const PATHS = ['a.ts', 'b.tsx', 'src/a.ts', 'src/deep/b.ts', 'src/.c.ts', 'test/a.test.ts', 'app/(x)/p{1}.ts', 'é.ts'];

function found(pattern: string, options = FILES): string[] {
  const glob = createGlob(pattern, options);
  return PATHS.filter((path) => glob.matches(path));
}

describe('a pattern of paths', () => {
  it.each([
    ['*.ts', ['a.ts', 'é.ts']],
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'src/.c.ts', 'test/a.test.ts', 'app/(x)/p{1}.ts', 'é.ts']],
    ['*.{ts,tsx}', ['a.ts', 'b.tsx', 'é.ts']],
    ['{src,test}/**/*.ts', ['src/a.ts', 'src/deep/b.ts', 'src/.c.ts', 'test/a.test.ts']],
    ['src/{deep/*,a}.ts', ['src/a.ts', 'src/deep/b.ts']],
    ['{src/{a,{x,deep/b}},a}.ts', ['a.ts', 'src/a.ts', 'src/deep/b.ts']],
    ['{**/b,a}.ts', ['a.ts', 'src/deep/b.ts']],
    ['src/**', ['src/a.ts', 'src/deep/b.ts', 'src/.c.ts']],
    ['**', PATHS],
    ['src**', []],
    ['?.ts', ['a.ts', 'é.ts']],
    ['[!b].ts', ['a.ts', 'é.ts']],
    ['[a-c].t[[:lower:]]*', ['a.ts', 'b.tsx']],
    ['app/(x)/p{1}.ts', ['app/(x)/p{1}.ts']],
    [String.raw`app/\(x\)/p\{1\}.ts`, ['app/(x)/p{1}.ts']],
    ['[', []],
    ['{a,b', []],
    ['A.ts', []],
  ])('%s fits %j', (pattern, paths) => {
    expect(found(pattern)).toEqual(paths);
  });

  it('takes small letters for large ones if it is told to', () => {
    expect(found('[A]*.TS', { style: 'files', ignoreCase: true })).toEqual(['a.ts']);
  });

  it('knows in which folders something may fit', () => {
    const glob = createGlob('src/{a,b*}/**/c/*.ts', FILES);
    const folders = ['src/', 'src/a/', 'src/bc/d/e/', 'src/c/', 'test/'];
    expect(folders.filter((folder) => glob.mayStart(folder))).toEqual(['src/', 'src/a/', 'src/bc/d/e/']);
  });

  it('fits what its alternatives fit one by one', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '?', '[ab]', '.');
    const text = fc.array(piece, { maxLength: 3 }).map((all) => all.join(''));
    const path = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 7 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, text, text, path, (before, one, other, behind, tried) => {
        const isAny = [one, other].some((each) => createGlob(before + each + behind, FILES).matches(tried));
        // Two stars in a row mean something else.
        fc.pre(![one, other].some((each) => (before + each + behind).includes('**')));
        expect(createGlob(`${before}{${one},${other}}${behind}`, FILES).matches(tried)).toBe(isAny);
      }),
    );
  });
});

/** What a hostile pattern and text are made of, four times as long for four times `n`. */
const HOSTILE: readonly (readonly [name: string, pattern: (n: number) => string, text: (n: number) => string])[] = [
  ['many stars', () => `${'*a'.repeat(12)}b`, (n) => 'a'.repeat(n)],
  ['stars and question marks', () => `${'*?'.repeat(12)}b`, (n) => 'a'.repeat(n)],
  ['folders', () => `${'**/a/'.repeat(9)}**/b`, (n) => 'a/'.repeat(n)],
  ['alternatives', () => `${'{a,a*,*a}'.repeat(8)}b`, (n) => 'a'.repeat(n)],
  ['nested alternatives', () => `${'{a,'.repeat(20)}b${'}'.repeat(20)}c`, (n) => 'a'.repeat(n)],
  ['sets', () => `${'*[ab]'.repeat(12)}c`, (n) => 'ab'.repeat(n)],
  ['a long pattern', (n) => `${'*a'.repeat(n)}b`, () => 'a'.repeat(50)],
  ['many alternatives', (n) => `{${'a*,'.repeat(n)}b}c`, () => 'a'.repeat(50)],
];

describe('a matcher', () => {
  it.each(HOSTILE)('takes four times the steps for four times as much: %s', (_, pattern, text) => {
    const stepsFor = (n: number): number => {
      const steps = { count: 0 };
      expect(createGlob(pattern(n), FILES).matches(text(n), steps)).toBe(false);
      return steps.count;
    };
    expect(stepsFor(400)).toBeLessThan(4.2 * stepsFor(100));
  });

  it.each(['[', '[[:', '{', '{,', '[!', '\\', '[a-', '[\\]', '**/', '{**/'])('reads a pattern full of %s', (piece) => {
    for (const style of ['files', 'git', 'bash'] as const)
      expect(createGlob(piece.repeat(1000), { style }).matches('x')).toBe(false);
  });
});

import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editText } from '../../src/files/edit-text.js';
import { nearestMatch } from '../../src/files/nearest-match.js';
import { makeToolSession, type ToolSession } from '../support/tool-session.js';

let session: ToolSession;
beforeEach(() => {
  session = makeToolSession();
});
afterEach(() => session.remove());

describe('patterns of others', () => {
  it('of glob end, whatever a file is called', async () => {
    writeFileSync(join(session.cwd, 'a'.repeat(120)), '');
    for (const pattern of ['*a*a*a*a*a*a*a*a*a*a*a*a*b', `${'**/'.repeat(30)}*b`, `${'{a,a*,*a}'.repeat(100)}b`])
      expect(await session.run('glob', { pattern })).toBe('No files match.');
  });

  it('of a .gitignore end, however deep the folders are', async () => {
    const deep = join(session.cwd, ...Array.from({ length: 50 }, () => 'a'));
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, 'c'), '');
    writeFileSync(join(session.cwd, '.gitignore'), `${'**/a/'.repeat(9)}**/b\n`.repeat(50));
    expect(await session.run('glob', { pattern: '**/*' })).toBe(`.gitignore\n${'a/'.repeat(50)}c`);
    expect(await session.run('list', { depth: 20 })).toContain(`${'  '.repeat(20)}a/`);
  });

  it('of a command are judged at once, with names of any length', () => {
    writeFileSync(join(session.cwd, `${'a'.repeat(250)}bc`), '');
    const { guard, home } = session.extra;
    for (const pattern of ['*a*a*a*a*a*b', '*a*a*a*a*a*c', '*[a]*[a]*[a]*[a]*[a]*[a]*b', `${'*a'.repeat(120)}*b`])
      expect(classifyCommand(`ls ${pattern}`, { cwd: session.cwd, guard, home }).class).toBe('safe');
  });

  it('of a command that are endless, or name endless files, are asked about', () => {
    const judge = (command: string) =>
      classifyCommand(command, { cwd: session.cwd, guard: session.extra.guard, home: session.extra.home });
    expect(judge(`ls ${'*a'.repeat(2000)}`)).toMatchObject({ class: 'ask', reason: expect.stringMatching(/too long/) });
    for (let at = 0; at < 80; at += 1) mkdirSync(join(session.cwd, `d${at}`));
    for (let at = 0; at < 80; at += 1)
      for (let file = 0; file < 80; file += 1) writeFileSync(join(session.cwd, `d${at}`, `f${file}`), '');
    expect(judge('ls */*')).toMatchObject({ class: 'ask', reason: expect.stringMatching(/too many files/) });
  });

  it('of a kind that is not known are refused, and say so', async () => {
    expect(await session.run('glob', { pattern: '!(a|b)/*.ts' })).toMatch(/^ToolError: .*!\(a\|b\) are not known here/);
  });

  it('through a pipe in place of a .gitignore keep nobody waiting', async () => {
    execFileSync('mkfifo', [join(session.cwd, '.gitignore')]);
    writeFileSync(join(session.cwd, 'a'), '');
    expect(await session.run('list', {})).toBe('./\n  .gitignore\n  a');
  });
});

describe('a file tool that takes long', () => {
  /** A terabyte of nothing takes many minutes to read. */
  function putEndless(): void {
    const file = openSync(join(session.cwd, 'endless'), 'w');
    ftruncateSync(file, 2 ** 40);
    closeSync(file);
  }

  it('is ended at its limit, while everything else goes on, and the next one works', async () => {
    putEndless();
    writeFileSync(join(session.cwd, 'a'), 'text');
    Object.assign(session.extra, { fileToolMs: 1500 });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 10);
    const reading = session.run('read', { path: 'endless' });
    await sleep(300);
    expect(await session.run('read', { path: 'a' })).toBe('1\ttext');
    expect(await reading).toBe('ToolError: It took longer than 1500 ms and was ended: ask for less at once.');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(50);
    expect(await session.run('read', { path: 'a' })).toBe('1\ttext');
  });

  it('is ended when the call is stopped', async () => {
    putEndless();
    const stop = new AbortController();
    const reading = session.run('read', { path: 'endless' }, { signal: stop.signal });
    await sleep(500);
    stop.abort();
    expect(await reading).toBe('ToolError: It was stopped.');
    expect(await session.run('read', { path: 'endless' }, { signal: stop.signal })).toBe('ToolError: It was stopped.');
  });

  it('may search with ripgrep no longer either', async () => {
    putEndless();
    Object.assign(session.extra, { fileToolMs: 1500 });
    expect(await session.run('grep', { pattern: 'x', path: 'endless' })).toMatch(/longer than 1500 ms and was ended/);
  });

  it('refuses to change a file that is too large to hold', async () => {
    putEndless();
    expect(await session.run('edit', { path: 'endless', old_string: 'a', new_string: 'b' })).toMatch(
      /^ToolError: .*endless has 1099511627776 bytes, more than the 50000000 that can be changed here: use a command\.$/,
    );
  });
});

describe('texts of others', () => {
  const replaced = (text: string, oldString: string) =>
    editText(text, [{ oldString, newString: 'b', replaceAll: true }], 'a');

  it.each([
    ['a change of every letter', (n: number) => replaced('a'.repeat(n), 'a')],
    ['a change of every line', (n: number) => replaced('a\r\n'.repeat(n), 'a\n')],
    ['a change of every line that differs in blanks', (n: number) => replaced('\ta \n'.repeat(n), '  a\n')],
    ['a change of blanks', (n: number) => replaced(`a${' '.repeat(n)}x\n`, `a${' '.repeat(n)}x \n`)],
    ['the nearest of lines that are all the same', (n: number) => nearestMatch('x\n'.repeat(n), 'x\n'.repeat(n) + 'y')],
    ['the nearest of blanks', (n: number) => nearestMatch(' '.repeat(n) + 'a', 'b' + ' '.repeat(n))],
    ['the nearest of lines that are like it', (n: number) => nearestMatch('abcd\n'.repeat(n), 'abce')],
  ])('of a hundred thousand letters or lines end: %s', (_, run) => {
    const begun = Date.now();
    run(100_000);
    // Quadratic, it takes minutes.
    expect(Date.now() - begun).toBeLessThan(5000);
  });
});

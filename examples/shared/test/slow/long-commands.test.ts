import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { classifyCommand } from '../../command-policy.js';
import { createPathGuard } from '../../path-guard.js';

let cwd = '';
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'long-'));
  for (let at = 0; at < 500; at += 1) writeFileSync(join(cwd, `${'a'.repeat(200)}${at}`), '');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Each took more than the square of the time once, or minutes. */
const PIECES: readonly (readonly [before: string, piece: string, behind: string])[] = [
  ['', 'a|', 'a'],
  ['ls ', '* ', 'x'],
  ['', 'ls *;', ''],
  ['ls ', '*a', 'b'],
  ['', 'cd a;', ''],
  ['rm -rf ', 'cd a;', '}'],
  ['', 'cd a;rm -rf b;', ''],
  ['', 'find . -exec ', 'ls'],
  ['rm -rf ', '$HOME', ''],
  ['rm -rf ', '${HOME', ''],
  ['rm -rf {', ',', 'a'],
  ['rm -rf ', '{a,b}', ''],
  ['rm -rf ', 'a/', ''],
  ['printf %', '0', 'y'],
  ['ls', ' ', 'x'],
  ['ls ', '\\\n', 'x'],
  ['ls\n', '\n', ')'],
  ['', '$(', ''],
  ['', 'f(){ a|b;};', ''],
];

it.each(PIECES)('a command of 48,000 characters is judged soon: %j %j %j', (before, piece, behind) => {
  const text = before + piece.repeat(Math.floor(48_000 / piece.length)) + behind;
  const begun = performance.now();
  classifyCommand(text, { cwd, guard: createPathGuard({ roots: [cwd] }), home: '/home/somebody' });
  expect(performance.now() - begun).toBeLessThan(6000);
});

it('what goes to too many folders, or names too many places, is a danger', () => {
  const judge = (text: string) =>
    classifyCommand(text, { cwd, guard: createPathGuard({ roots: [cwd] }), home: '/home/x' });
  const files = Array.from({ length: 6000 }, (_, at) => `f${at}`);
  expect(judge(`rm -rf ${files.join(' ')}`)).toMatchObject({
    class: 'danger',
    reason: 'it names more than 5000 places',
  });
  expect(judge(`${'cd a;'.repeat(600)} rm -rf b`)).toMatchObject({ class: 'danger' });
  expect(judge(`rm -rf ${files.slice(0, 1000).join(' ')} /`)).toMatchObject({ class: 'forbidden' });
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedRequest } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { bash, newFolders, openCoder, rolloutsIn, scripted, text } from '../support/open-coder.js';

const ESC = '\u001B';
const DOWN = `${ESC}[B`;
const CTRL_C = '\u0003';
const TABLE =
  '# Two parts\n\n| File | Lines |\n| --- | --- |\n| add.js | 3 |\n\nSee [the docs](https://example.com/docs).';

/** What the person asked last, and how many calls were answered since. */
function lastAsked(input: ScriptedRequest['input']): { readonly asked: string; readonly outputs: number } {
  const at = input.findLastIndex((item) => item['role'] === 'user');
  const outputs = input.slice(at).filter((item) => item['type'] === 'function_call_output').length;
  return { asked: JSON.stringify(input[at]?.['content']), outputs };
}

/** Answers as a model would in the first hour. */
function newcomersModel() {
  return scripted((index, { input }) => {
    const { asked, outputs } = lastAsked(input);
    if (asked.includes('what is this')) return text(TABLE);
    if (asked.includes('fix add') && outputs === 0)
      return { output: [{ type: 'call', name: 'read', arguments: { path: 'add.js' } }] };
    if (asked.includes('fix add') && outputs === 1) {
      const edit = { path: 'add.js', old_string: 'a - b', new_string: 'a + b' };
      return { output: [{ type: 'call', name: 'edit', arguments: edit }] };
    }
    if (asked.includes('make a file') && outputs === 0) return bash('touch made.txt');
    if (asked.includes('remove it') && outputs === 0) return bash('rm made.txt');
    return text(`Answer ${index}.`);
  });
}

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

describe.each(SIZES)('the first hour of a newcomer, in a terminal of $columns × $rows', (size) => {
  it('asks, approves, denies, names files, runs commands, changes the model, goes back, resumes and leaves', async () => {
    await using server = await newcomersModel();
    const folders = newFolders();
    const file = (name: string): string => join(folders.workspace, name);
    writeFileSync(file('add.js'), 'export function add(a, b) {\n  return a - b;\n}\n');
    using coder = await openCoder({ ...size, folders, server });
    const { terminal } = coder;

    await coder.say('what is this');
    await terminal.shows('│ add.js │ 3     │');
    expect(terminal.raw).toContain(`${ESC}]8;;https://example.com/docs\u0007the docs`);
    await coder.idle();

    await coder.say('fix add');
    await terminal.shows(/2 - +return a - b;\n.*2 \+ +return a \+ b;/);
    await terminal.shows(/Answer \d/);
    await coder.idle();
    expect(readFileSync(file('add.js'), 'utf8')).toContain('a + b');

    await coder.say('make a file');
    await coder.yes();
    await coder.idle();
    expect(existsSync(file('made.txt'))).toBe(true);

    await coder.say('remove it');
    await terminal.shows((screen) => screen.includes('Esc cancel'));
    await terminal.until(() => (terminal.write('n'), terminal.screen.join('\n').includes('Why not?')));
    terminal.write('\u0015keep it');
    await terminal.shows((screen) => screen.includes('Why not? keep it'));
    terminal.write('\r');
    await coder.idle();
    expect(existsSync(file('made.txt'))).toBe(true);
    expect(JSON.stringify(server.requests.map(({ body }) => body))).toContain('keep it');

    terminal.write('look at @mad');
    await terminal.shows((screen) => screen.includes('▸ made.txt'));
    terminal.write('\t');
    await terminal.shows((screen) => screen.includes('› look at made.txt'));
    terminal.write('\r');
    await terminal.until(() =>
      server.requests.some(({ input }) => lastAsked(input).asked.includes('look at made.txt')),
    );
    await coder.idle();

    await coder.say('!cat add.js');
    await terminal.shows('│   return a + b;');
    await coder.idle();

    await coder.say('/model other');
    await terminal.shows('▍ coder  other');
    await coder.idle();
    await coder.say('who are you');
    await terminal.until(() => server.requests.some(({ body }) => body['model'] === 'other'));
    await coder.idle();

    terminal.write(ESC);
    await terminal.shows((screen) => screen.includes('Esc again'));
    terminal.write(ESC);
    await terminal.shows((screen) => screen.includes('▸') && screen.includes('who are you'));
    terminal.write('\r');
    await terminal.shows((screen) => screen.includes('─\n› who are you'));
    expect(rolloutsIn(folders.home)).toHaveLength(2);

    terminal.write('\u0015/resume ');
    await terminal.shows((screen) => /▸ [0-9a-f]{8} /.test(screen));
    terminal.write(`${DOWN}\r`);
    await coder.idle();

    terminal.write(CTRL_C);
    await terminal.shows((screen) => screen.includes('Ctrl-C again to leave'));
    terminal.write(CTRL_C);
    expect((await terminal.exited).exitCode).toBe(0);
    expect(terminal.text.replaceAll('\n', '')).toMatch(/coder resume [0-9a-f-]{36}$/);
    expect(terminal.clears).toBe(0);
  });
});

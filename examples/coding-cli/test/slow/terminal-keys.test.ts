import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  bash,
  commandModel,
  filesIn,
  linesOf,
  openCoder,
  rolloutsIn,
  scripted,
  SIZES,
  text,
} from '../support/open-coder.js';

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const ESC = '\u001B';

function isRunning(command: string): boolean {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.trim() === command);
}

const saidTo = (request: { readonly input: readonly Record<string, unknown>[] } | undefined): string =>
  JSON.stringify(request?.input.filter((item) => item['role'] === 'user').at(-1)?.['content']);

describe.each(SIZES)('keys in a terminal of $columns × $rows', (size) => {
  it.each([
    ['Esc', ESC],
    ['Ctrl-C', CTRL_C],
  ])('%s interrupts a slow command: its process ends, and the next task works', async (_, key) => {
    const seconds = `3${Math.floor(Math.random() * 1e6)}`;
    await using server = await scripted((index) =>
      index === 0 ? bash(`sleep ${seconds} > slept`) : text('The next one works.'),
    );
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await coder.yes();
    await coder.terminal.until(() => isRunning(`sleep ${seconds}`));
    coder.terminal.write(key);
    await coder.terminal.shows('Interrupted.');
    await coder.terminal.until(() => !isRunning(`sleep ${seconds}`));
    await coder.idle();
    await coder.say('and now?');
    await coder.terminal.shows('The next one works.');
    expect(coder.terminal.clears).toBe(0);
  });

  it('a message during a task is seen waiting, can be taken back, and is heard before the next round', async () => {
    await using server = await scripted((index) =>
      index === 0 ? bash('until [ -e go ]; do sleep 0.1; done') : text(`Answer ${index}.`),
    );
    using coder = await openCoder({ ...size, server });
    await coder.say('first');
    await coder.yes();
    await coder.terminal.shows((screen) => screen.includes('working'));
    await coder.say('secnd');
    await coder.terminal.shows((screen) => screen.includes('next: secnd'));
    coder.terminal.write(`${ESC}[A`);
    await coder.terminal.shows((screen) => screen.includes('› secnd') && !screen.includes('next: '));
    coder.terminal.write('\u0017');
    await coder.say('second');
    await coder.terminal.shows((screen) => screen.includes('next: second'));
    writeFileSync(join(coder.folders.workspace, 'go'), '');
    await coder.terminal.shows('Answer 1.');
    await coder.idle();
    expect(coder.terminal.screen.join('\n')).not.toContain('next: second');
    expect(coder.terminal.text.indexOf('› second')).toBeLessThan(coder.terminal.text.indexOf('Answer 1.'));
    expect(server.requests).toHaveLength(2);
    expect(saidTo(server.requests[1])).toContain('second');
  });

  it('a paste is one input, whatever is in it; Enter sends it', async () => {
    await using server = await scripted(() => text('Got it.'));
    using coder = await openCoder({ ...size, server });
    coder.terminal.write(`${ESC}[200~one\r\ntwo ${ESC}[31mred${ESC}[201~`);
    await coder.terminal.shows((screen) => /› one\n +two/.test(screen));
    expect(server.requests).toHaveLength(0);
    coder.terminal.write('\r');
    await coder.terminal.shows('Got it.');
    await coder.idle();
    expect(server.requests).toHaveLength(1);
    expect(saidTo(server.requests[0])).toContain(String.raw`one\ntwo red`);
  });

  it('a long paste is a chip, and its text is sent', async () => {
    await using server = await scripted(() => text('Got it.'));
    using coder = await openCoder({ ...size, server });
    const pasted = Array.from({ length: 62 }, (_, index) => `pasted ${index}`);
    coder.terminal.write(`${ESC}[200~${pasted.join('\r')}${ESC}[201~`);
    await coder.terminal.shows((screen) => screen.includes('› [pasted 62 lines #1]'));
    coder.terminal.write('\r');
    await coder.terminal.shows('Got it.');
    expect(saidTo(server.requests[0])).toContain(pasted.join(String.raw`\n`));
  });

  it('input behind Ctrl-C takes it back: the next one does not leave', async () => {
    using coder = await openCoder(size);
    coder.terminal.write(CTRL_C);
    await coder.terminal.shows((screen) => screen.includes('Ctrl-C again to leave'));
    coder.terminal.write('more');
    await coder.terminal.shows((screen) => screen.includes('› more') && !screen.includes('again to leave'));
    coder.terminal.write(CTRL_C);
    await coder.terminal.shows((screen) => screen.includes('Ctrl-C again to leave') && screen.includes('Ask anything'));
    coder.terminal.write(CTRL_C);
    expect((await coder.terminal.exited).exitCode).toBe(0);
  });

  it('/copy puts the last answer into the clipboard, as the model wrote it', async () => {
    await using server = await scripted(() => text('Some **answer**.'));
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await coder.terminal.shows('Some answer.');
    await coder.idle();
    await coder.say('/copy');
    await coder.terminal.shows('Copied the last answer');
    expect(coder.terminal.raw).toContain(`${ESC}]52;c;${Buffer.from('Some **answer**.').toString('base64')}\u0007`);
  });

  it('/clear begins a new session, /cost and /context tell tokens', async () => {
    using coder = await openCoder(size);
    await coder.say('/cost');
    await coder.terminal.shows('none yet');
    await coder.say('/context');
    await coder.terminal.shows(/tokens in\s+the\s+last\s+request/);
    await coder.say('/clear');
    await coder.terminal.until(() => coder.terminal.count('▍ coder') === 2);
    await coder.idle();
  });

  it('Ctrl-J and \\ Enter begin a new line', async () => {
    await using server = await scripted(() => text('Got it.'));
    using coder = await openCoder({ ...size, server });
    coder.terminal.write('one\ntwo\\');
    await coder.terminal.shows((screen) => screen.includes('two\\'));
    coder.terminal.write('\r');
    await coder.terminal.until(() => !coder.terminal.screen.join('\n').includes('two\\'));
    coder.terminal.write('three');
    await coder.terminal.shows((screen) => /› one\n +two\n +three/.test(screen));
    coder.terminal.write('\r');
    await coder.terminal.shows('Got it.');
    expect(saidTo(server.requests[0])).toContain(String.raw`one\ntwo\nthree`);
  });

  it('arrows bring back what was said, also of a session that goes on', async () => {
    using first = await openCoder(size);
    await first.say('one thing');
    await first.terminal.shows(/you said\s+"one\s+thing"/);
    await first.idle();
    await first.say('another');
    await first.terminal.shows(/you said\s+"another"/);
    await first.idle();
    first.terminal.write(`${ESC}[A${ESC}[A`);
    await first.terminal.shows((screen) => screen.includes('─\n› one thing'));
    first.terminal.write(`${ESC}[B`);
    await first.terminal.shows((screen) => screen.includes('─\n› another'));
    first.terminal.write(`${CTRL_C}${CTRL_C}`);
    await first.terminal.exited;
    using second = await openCoder({ ...size, folders: first.folders, args: ['resume'] });
    second.terminal.write(`${ESC}[A`);
    await second.terminal.shows((screen) => screen.includes('─\n› another'));
  });

  it('edit the line: Ctrl-A, Ctrl-E, Ctrl-W, Ctrl-U, Ctrl-K', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    const line = (wanted: string): Promise<void> =>
      terminal.shows((screen) => new RegExp(`^› ${wanted} *$`, 'm').test(screen));
    terminal.write('two three\u0001one \u0005 four\u0017');
    await line('one two three');
    terminal.write(`${ESC}b\u000B`);
    await line('one two');
    terminal.write('\u0015');
    await coder.idle();
  });

  it('Ctrl-C twice leaves, with the line that brings the session back', async () => {
    using coder = await openCoder(size);
    await coder.say('Hello');
    await coder.terminal.shows('you said');
    await coder.idle();
    coder.terminal.write(CTRL_C);
    await coder.terminal.shows('Ctrl-C again to leave');
    coder.terminal.write(CTRL_C);
    expect((await coder.terminal.exited).exitCode).toBe(0);
    const [rollout = ''] = rolloutsIn(coder.folders.home);
    const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.jsonl)/.exec(rollout)?.[0];
    expect(coder.terminal.text.replaceAll('\n', '')).toContain(`coder resume ${id}`);
    expect(coder.terminal.text).not.toContain('Ask anything');
    // The terminal is as it was: cursor, paste mode.
    expect(coder.terminal.raw.lastIndexOf(`${ESC}[?25h`)).toBeGreaterThan(
      coder.terminal.raw.lastIndexOf(`${ESC}[?25l`),
    );
    expect(coder.terminal.raw.lastIndexOf(`${ESC}[?2004l`)).toBeGreaterThan(
      coder.terminal.raw.lastIndexOf(`${ESC}[?2004h`),
    );
  });

  it('Ctrl-D leaves on an empty line only', async () => {
    using coder = await openCoder(size);
    coder.terminal.write('ab\u0001');
    await coder.terminal.shows((screen) => screen.includes('› ab'));
    coder.terminal.write(CTRL_D);
    await coder.terminal.shows((screen) => /^› b *$/m.test(screen));
    coder.terminal.write(`${CTRL_D}${CTRL_D}`);
    expect((await coder.terminal.exited).exitCode).toBe(0);
  });

  it('commands are suggested, completed, and unknown ones named', async () => {
    using coder = await openCoder(size);
    coder.terminal.write('/sta');
    await coder.terminal.shows((screen) => screen.includes('▸ /status'));
    coder.terminal.write('\t\r');
    await coder.terminal.shows('kept in');
    await coder.idle();
    await coder.say('/nonsense');
    await coder.terminal.shows('Unknown command /nonsense');
    await coder.say('/mcp');
    await coder.terminal.shows('No MCP servers yet');
    await coder.say('/help');
    await coder.terminal.shows('/permissions');
    expect(coder.terminal.clears).toBe(0);
  });
});

describe('a terminal that is closed', () => {
  it('ends the program with all that it started; the session is whole and free', async () => {
    const seconds = `4${Math.floor(Math.random() * 1e6)}`;
    await using server = await commandModel(`sleep ${seconds} > slept`);
    using coder = await openCoder({ server });
    await coder.say('go');
    await coder.yes();
    await coder.terminal.until(() => isRunning(`sleep ${seconds}`));
    const { pid } = coder.terminal;
    coder.terminal.hangUp();
    await coder.terminal.exited;
    await coder.terminal.until(() => !isRunning(`sleep ${seconds}`), 'the command ends');
    expect(() => process.kill(pid, 0)).toThrow();
    const { home } = coder.folders;
    const [rollout = ''] = rolloutsIn(home);
    expect(linesOf(rollout).at(-1)).toMatchObject({ type: 'turn_end' });
    expect(filesIn(home).filter((name) => name.endsWith('.lock'))).toEqual([]);
    await using answering = await scripted(() => text('Still here.'));
    using again = await openCoder({ folders: coder.folders, server: answering, args: ['resume'] });
    await again.say('and?');
    await again.terminal.shows('Still here.');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('%s leaves in good order, with %i', async (signal, code) => {
    using coder = await openCoder();
    await coder.say('Hello');
    await coder.terminal.shows('you said');
    await coder.idle();
    coder.terminal.kill(signal);
    expect((await coder.terminal.exited).exitCode).toBe(code);
    expect(coder.terminal.text).toContain('coder resume ');
    expect(readdirSync(join(coder.folders.home, 'sessions')).length).toBeGreaterThan(0);
  });
});

describe('what stands in the environment', () => {
  it('NO_COLOR: no colours, the cursor is seen all the same', async () => {
    using coder = await openCoder({ env: { NO_COLOR: '1' } });
    await coder.say('Hello');
    await coder.terminal.shows('you said');
    await coder.idle();
    // Foreground and background, in 16, 256 and all colours.
    expect(coder.terminal.raw).not.toMatch(new RegExp(`${ESC}\\[(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]`));
    expect(coder.terminal.raw).toContain(`${ESC}[7m`);
  });

  it('CI: it is drawn all the same, for a terminal is there', async () => {
    using coder = await openCoder({ env: { CI: '1' } });
    await coder.say('Hello');
    await coder.terminal.shows('you said');
  });
});

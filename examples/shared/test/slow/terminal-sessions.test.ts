import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../sandbox.js';
import {
  type TerminalLimits,
  type TerminalReport,
  TerminalSessions,
  type TerminalWait,
} from '../../terminal-sessions.js';
import { livingIn, until } from '../helpers/processes.js';

const CACHE = join(process.cwd(), 'node_modules/.cache');
const PATH = process.env['PATH'] ?? '';
const LONG = 30_000;

let root = '';
let terminals: TerminalSessions;
beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  root = realpathSync(mkdtempSync(join(CACHE, 'terminal-')));
  terminals = new TerminalSessions();
});
afterEach(async () => {
  await terminals.close();
  rmSync(root, { recursive: true, force: true });
});

const waitOf = (more: Partial<TerminalWait> = {}): TerminalWait => ({
  ...{ yieldMs: LONG, maxChars: 40_000, signal: new AbortController().signal },
  ...more,
});
const limited = (limits: Partial<TerminalLimits>): void => void (terminals = new TerminalSessions(limits));

interface StartOptions extends Partial<TerminalWait> {
  readonly sandbox?: readonly string[];
}

function start(command: string, { sandbox, ...more }: StartOptions = {}): Promise<TerminalReport> {
  const env = { PATH, PWD: root, HOME: root, TERM: 'dumb' };
  return terminals.start({ command, cwd: root, env, sandbox }, waitOf(more));
}

/** Types, and asks until the terminal shows it. */
async function typed(id: number, chars: string, wanted: RegExp): Promise<string> {
  let output = '';
  for (let next = chars; !wanted.test(output); next = '') {
    const report = await terminals.write(id, next, waitOf({ yieldMs: 50 }));
    output += report.output;
    if (report.exitCode !== undefined) break;
  }
  expect(output).toMatch(wanted);
  return output;
}

describe('a terminal', () => {
  it('gives the output and the exit code of a command that ends, and is gone', async () => {
    const report = await start('test -t 0 && test -t 1 && pwd; exit 3');
    expect(report).toMatchObject({ id: 1, exitCode: 3, output: `${root}\n`, isTruncated: false });
    expect(terminals.open).toEqual([]);
    await expect(terminals.write(1, '', waitOf())).rejects.toThrow(
      'There is no terminal 1 (any more): none is open. Start the command again.',
    );
  });

  it('goes on between calls, takes what is typed, and tells what came meanwhile', async () => {
    const { id, exitCode } = await start('read name; echo "hello $name"; read more; echo "$more too"', { yieldMs: 1 });
    expect(exitCode).toBeUndefined();
    expect(terminals.find(id)).toMatchObject({ id, line: '' });
    await typed(id, 'du', /du/);
    expect(terminals.find(id)?.line).toBe('du');
    await typed(id, 'ck\n', /hello duck\n/);
    expect(terminals.find(id)?.line).toBe('');
    const report = await terminals.write(id, 'x\n', waitOf());
    expect(report).toMatchObject({ exitCode: 0, output: expect.stringMatching(/x too\n$/) });
  });

  it.each(['without a sandbox', 'in a sandbox'])(
    'stops a program by Ctrl-C, and the shell goes on: %s',
    async (where) => {
      const sandbox = where === 'in a sandbox' ? sandboxed() : [];
      const { id } = await start('bash --norc --noprofile', { yieldMs: 1, sandbox });
      await typed(id, 'echo ready; sleep 1000\n', /\nready\n/);
      await typed(id, '\u0003', /\^C/);
      await typed(id, 'echo on $((40 + 2))\n', /on 42\n/);
      expect(await terminals.write(id, 'exit 5\n', waitOf())).toMatchObject({ exitCode: 5 });
    },
  );

  it('keeps head and tail of a long output, and says what is missing', async () => {
    const { output, isTruncated, totalChars } = await start('seq 1 20000', { maxChars: 1000 });
    expect(isTruncated).toBe(true);
    expect(totalChars).toBe(108_894);
    expect(output).toMatch(/^1\n2\n[^]*\[… 107894 characters are missing here; they are not kept …\][^]*\n20000\n$/);
  });

  it('holds a bounded part of what comes between two calls', async () => {
    const { id } = await start('seq 1 400000; echo END; read x', { yieldMs: 1 });
    let [output, total] = ['', 0];
    await until(() => existsSync(root));
    while (!output.includes('END')) {
      const report = await terminals.write(id, '', waitOf({ yieldMs: 2000, maxChars: 2_000_000 }));
      expect(report.output.length).toBeLessThan(1_000_200);
      output = report.output;
      total += report.totalChars;
    }
    expect(total).toBeGreaterThan(2_000_000);
  });

  it('ends with its call if that is stopped, with all that it started', async () => {
    const abort = new AbortController();
    const running = start('sleep 1000 & nohup sleep 1001 & trap "" HUP TERM; sleep 1002', { signal: abort.signal });
    await until(() => livingIn(root).length >= 4);
    abort.abort();
    expect((await running).exitCode).toBeDefined();
    expect(livingIn(root)).toEqual([]);
    expect(terminals.open).toEqual([]);
  });

  it('ends what a command left behind, as soon as the command has ended', async () => {
    await start('sleep 1000 & nohup sleep 1001 & echo started');
    expect(livingIn(root)).toEqual([]);
  });

  it('ends when all end, in a sandbox too', async () => {
    await start('sleep 1000', { yieldMs: 1 });
    await start('sleep 1001', { yieldMs: 1, sandbox: sandboxed() });
    await until(() => livingIn(root).length >= 3);
    await terminals.endAll();
    expect(livingIn(root)).toEqual([]);
    expect(await start('echo again')).toMatchObject({ id: 3, output: 'again\n' });
    await terminals.close();
    await expect(start('echo no')).rejects.toThrow('No terminal is opened any more.');
  });

  it('ends if nobody asks for it for a while', async () => {
    limited({ idleMs: 50 });
    const { id } = await start('sleep 1000', { yieldMs: 1 });
    await until(() => livingIn(root).length === 0);
    expect(await terminals.write(id, '', waitOf())).toMatchObject({ exitCode: expect.any(Number) });
  });

  it('is refused if there are too many, with their numbers', async () => {
    limited({ sessions: 2 });
    await start('read x', { yieldMs: 1 });
    await start('read x', { yieldMs: 1 });
    await expect(start('read x')).rejects.toThrow('2 terminals are open (1, 2), and there may be no more.');
  });

  it('refuses a line that the system would cut off', async () => {
    const { id } = await start('cat', { yieldMs: 1 });
    await expect(terminals.write(id, 'x'.repeat(4096), waitOf())).rejects.toThrow('A line of more than 4095 bytes');
  });

  it('writes only what the sandbox lets it write', async () => {
    const { output } = await start('touch inside; touch /usr/outside; ls', { sandbox: sandboxed() });
    expect(output).toMatch(/Read-only file system/);
    expect(existsSync(join(root, 'inside'))).toBe(true);
  });

  it('leaves no process, and no port, behind a parent that was killed', async () => {
    const file = join(root, 'parent.mts');
    const module = JSON.stringify(new URL('../../terminal-sessions.ts', import.meta.url).href);
    const server = `require('net').createServer().listen(0, '127.0.0.1', function () { require('fs').writeFileSync('port', String(this.address().port)) })`;
    writeFileSync(join(root, 'server.cjs'), `process.on('SIGHUP', () => {}); ${server}`);
    writeFileSync(
      file,
      `import { TerminalSessions } from ${module};
      const env = ${JSON.stringify({ PATH, PWD: root, HOME: root })};
      await new TerminalSessions().start(
        { command: 'nohup node server.cjs & sleep 1000', cwd: ${JSON.stringify(root)}, env },
        { yieldMs: 100_000, maxChars: 1000, signal: new AbortController().signal },
      );`,
    );
    const parent = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'ignore' });
    await until(() => existsSync(join(root, 'port')) && readFileSync(join(root, 'port'), 'utf8') !== '');
    parent.kill('SIGKILL');
    await until(() => livingIn(root).length === 0);
    const port = Number(readFileSync(join(root, 'port'), 'utf8'));
    const socket = createConnection({ port, host: '127.0.0.1' });
    await expect(
      new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject)),
    ).rejects.toThrow('ECONNREFUSED');
  });
});

function sandboxed(): readonly string[] {
  return createSandbox('required', { roots: [root], hidden: [], hasNetwork: false, path: PATH, home: root }).wrap();
}

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/approval/types.js';
import { makeToolSession, type ToolSession } from '../support/tool-session.js';

let session: ToolSession;
let env: Record<string, string | undefined>;
beforeEach(() => {
  env = { ...process.env, OPENAI_API_KEY: 'sk-x', MY_PASSWORD: 'x', PLAIN: 'seen' };
  session = makeToolSession(env);
});
afterEach(() => session.remove());
const run: ToolSession['run'] = (name, input, options) => session.run(name, input, options);
const put = (name: string, content: string): void => writeFileSync(join(session.cwd, name), content);

describe('bash', () => {
  it('answers with exit code and output, and reports progress and end', async () => {
    expect(await run('bash', { command: 'echo out; echo err >&2; exit 3' })).toBe('exit code 3\nout\nerr\n');
    expect(session.reports).toEqual([
      { type: 'output', output: 'out\nerr\n' },
      { type: 'exit', exitCode: 3, truncated: false },
    ]);
  });

  it('runs in the workspace, or in workdir', async () => {
    mkdirSync(join(session.cwd, 'sub'));
    expect(await run('bash', { command: 'pwd' })).toBe(`exit code 0\n${session.cwd}\n`);
    expect(await run('bash', { command: 'pwd', workdir: 'sub' })).toBe(`exit code 0\n${session.cwd}/sub\n`);
    expect(await run('bash', { command: 'pwd', workdir: 'none' })).toBe('ToolError: workdir: there is no folder none.');
  });

  it('refuses a command that nobody was asked about, if files changed since it was judged', async () => {
    put('a.txt', 'one');
    const judged = (verdict: Pick<Verdict, 'outcome' | 'class'>): void =>
      session.registry.judgeAgain('call', () => ({ ...verdict, reason: 'it is looked at again' }));
    const reads = { outcome: 'run', class: 'safe' } as const;
    judged(reads);
    expect(await run('bash', { command: 'cat a.txt' })).toBe('exit code 0\none');
    rmSync(join(session.cwd, 'a.txt'));
    symlinkSync('/etc/hostname', join(session.cwd, 'a.txt'));
    judged(reads);
    expect(await run('bash', { command: 'cat a.txt' })).toMatch(
      /^ToolError: The command did not run: it was not approved.*a\.txt is outside of the workspace\. Call it again\.$/,
    );
    judged({ outcome: 'ask', class: 'ask' });
    expect(await run('bash', { command: 'touch made' })).toMatch(/^ToolError: .*it is looked at again/);
    judged({ outcome: 'run', class: 'ask' });
    expect(await run('bash', { command: 'touch made' })).toBe('exit code 0\n');
    // Somebody was asked about this one.
    expect(await run('bash', { command: 'cat a.txt' })).toMatch(/^exit code 0/);
  });

  it('shows no key to a command', async () => {
    expect(await run('bash', { command: 'env' })).not.toMatch(/sk-x|MY_PASSWORD|API_KEY/);
    expect(await run('bash', { command: 'echo "$PLAIN"' })).toBe('exit code 0\nseen\n');
    expect(await run('bash', { command: 'tr "\\0" "\\n" < /proc/$$/environ' })).not.toMatch(/sk-x|MY_PASSWORD/);
  });

  it('says that it was ended by its time, and by whom it was stopped', async () => {
    expect(await run('bash', { command: 'echo a; sleep 100', timeout_ms: 300 })).toBe(
      'exit code 143 (ended after 300 ms)\na\n',
    );
    const abort = new AbortController();
    const running = run('bash', { command: 'touch on; sleep 100' }, { signal: abort.signal });
    while (!existsSync(join(session.cwd, 'on'))) await sleep(10);
    abort.abort();
    expect(await running).toBe('exit code 143 (interrupted)\n');
  });

  it('keeps the whole of a long output in a file that can be read, one for each call', async () => {
    for (const callId of ['c/../1', 'c/../1']) await run('bash', { command: 'seq 1 20000' }, { callId });
    expect(readdirSync(session.outputs).toSorted()).toEqual(['c_.._1-2.txt', 'c_.._1.txt']);
    const output = String(await run('bash', { command: 'seq 1 20000' }));
    const [, file = ''] = /all of it is in (\S+)/.exec(output) ?? [];
    expect(await run('read', { path: file, offset: 20_000 })).toBe('20000\t20000');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(session.reports.at(-1)).toMatchObject({ type: 'exit', truncated: true });
  });

  it('reports an output without end in bounded pieces', async () => {
    await run('bash', { command: 'yes', timeout_ms: 1000 });
    const pieces = session.reports.flatMap((report) => (report.type === 'output' ? [report.output.length] : []));
    expect(pieces.length).toBeLessThan(40);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(4000);
  });

  it('starts for a safe command no program of the workspace', async () => {
    mkdirSync(join(session.cwd, 'bin'));
    writeFileSync(join(session.cwd, 'bin/ls'), '#!/bin/sh\necho shadowed\n', { mode: 0o755 });
    env['PATH'] = `${join(session.cwd, 'bin')}:${process.env['PATH']}`;
    expect(await run('bash', { command: 'ls bin; touch x' })).toBe('exit code 0\nshadowed\n');
    expect(await run('bash', { command: 'ls bin' })).toBe('exit code 0\nls\n');
  });

  it('runs git without what the repository wants to start', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: session.cwd });
    git('init', '-q');
    put('a', 'one\n');
    git('add', '.');
    git('commit', '-qm', 'x');
    put('a', 'two\n');
    git('config', 'diff.external', 'touch ran; true');
    git('config', 'core.fsmonitor', 'touch ran; true');
    session.registry.judgeAgain('call', () => ({ outcome: 'run', class: 'safe', reason: 'it only reads' }));
    expect(await run('bash', { command: 'git diff && git status -s' })).toMatch(
      /^ToolError: .*is not known to be harmless/,
    );
    expect(existsSync(join(session.cwd, 'ran'))).toBe(false);
  });
});

describe('grep', () => {
  beforeEach(() => {
    mkdirSync(join(session.cwd, 'src'));
    put('src/a.ts', 'const one = 1;\nconst two = 2;\nlet three;\n');
    put('src/b.py', 'one = 1\n');
    put('.gitignore', 'ignored\n');
    put('ignored', 'one\n');
    put('.hidden', 'one\n');
  });

  it('passes over the folder of keys, also where a link leads to it', async () => {
    mkdirSync(join(session.cwd, 'config'));
    put('config/keys', 'one\n');
    symlinkSync(session.cwd, join(session.base, 'home'));
    Object.assign(session.extra, { protectedDirs: [join(session.base, 'home/config')] });
    expect(await run('grep', { pattern: 'one', output: 'files' })).not.toContain('keys');
  });

  it('finds lines, files and counts, without ignored files', async () => {
    execFileSync('git', ['init', '-q'], { cwd: session.cwd });
    expect(await run('grep', { pattern: '\\bone\\b' })).toBe(
      '.hidden:1:one\nsrc/a.ts:1:const one = 1;\nsrc/b.py:1:one = 1',
    );
    expect(await run('grep', { pattern: 'const', path: 'src', include: '*.ts', output: 'count' })).toBe('src/a.ts:2');
    expect(await run('grep', { pattern: 'one', path: 'src', output: 'files' })).toBe('src/a.ts\nsrc/b.py');
    expect(await run('grep', { pattern: 'two', path: 'src/a.ts', context: 1 })).toBe(
      'src/a.ts-1-const one = 1;\nsrc/a.ts:2:const two = 2;\nsrc/a.ts-3-let three;',
    );
    expect(await run('grep', { pattern: 'nowhere' })).toBe('No matches.');
  });

  it('takes any pattern to the letter of its syntax, and says what is wrong with one', async () => {
    put('dash', '--pre=touch ran\n/etc/passwd\n');
    expect(await run('grep', { pattern: '--pre=touch ran' })).toBe('dash:1:--pre=touch ran');
    expect(await run('grep', { pattern: '/etc/passwd' })).toBe('dash:2:/etc/passwd');
    expect(await run('grep', { pattern: '(' })).toMatch(/^ToolError: The search failed: .*unclosed group/s);
  });

  it('reads nothing outside, by a link or by settings', async () => {
    writeFileSync(join(session.base, 'secret'), 'one\n');
    symlinkSync('../secret', join(session.cwd, 'link'));
    put('.ripgreprc', '--follow\n');
    expect(await run('grep', { pattern: 'one', output: 'files' })).toBe('.hidden\nignored\nsrc/a.ts\nsrc/b.py');
    for (const path of ['link', '..', '/etc'])
      expect(await run('grep', { pattern: 'one', path })).toMatch(/outside of the workspace/);
    expect(await run('grep', { pattern: 'one', path: 'none' })).toMatch(/There is no file or folder none/);
  });

  it('stops at 250 lines, and when it is given up', async () => {
    put('many', 'line\n'.repeat(100_000));
    const lines = String(await run('grep', { pattern: 'line' })).split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([
      251,
      '[only the first 250 lines: search for less, or in fewer files]',
    ]);
    expect(await run('grep', { pattern: 'x' }, { signal: AbortSignal.abort() })).toMatch(/abort/i);
  });
});

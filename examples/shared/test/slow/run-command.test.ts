import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanEnvironment } from '../../clean-environment.js';
import { runCommand, type RunCommandOptions } from '../../run-command.js';

const cwd = mkdtempSync(join(tmpdir(), 'run-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const run = (command: string, options: Partial<RunCommandOptions> = {}) =>
  runCommand({ command, cwd, env: cleanEnvironment(process.env), timeoutMs: 60_000, ...options });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
const pidIn = async (name: string): Promise<number> => {
  const path = join(cwd, name);
  while (!existsSync(path) || readFileSync(path, 'utf8').trim() === '') await sleep(10);
  return Number(readFileSync(path, 'utf8'));
};

describe('a command', () => {
  it('answers with its exit code and both outputs as they came', async () => {
    const command = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 3';
    const lines = [1, 2, 3].map((i) => `out ${i}\nerr ${i}\n`).join('');
    expect(await run(command)).toEqual({ exitCode: 3, output: lines, isTruncated: false, ended: undefined });
  });

  it('has no input, no terminal and no start file', async () => {
    expect(
      await run('cat; tty; [ -t 1 ] || echo none; echo $-', { env: { ...cleanEnvironment(process.env) } }),
    ).toMatchObject({
      output: expect.stringMatching(/^not a tty\nnone\n\w*hB?c?/),
    });
  });

  it('keeps its text to the letter', async () => {
    expect(await run(`printf '%s|' "$0" 'a'"'"'b' $# "\\\\"; # end`)).toMatchObject({ output: "bash|a'b|0|\\|" });
  });

  it('is ended with all it started when its time is over', async () => {
    const running = run('sleep 1000 & echo $! > child; wait', { timeoutMs: 300 });
    const child = await pidIn('child');
    expect(await running).toMatchObject({ ended: 'timeout', exitCode: 143 });
    expect(isAlive(child)).toBe(false);
  });

  it('is killed when it does not heed the request to end, within 2.5 s', async () => {
    const abort = new AbortController();
    const running = run(
      `trap '' TERM; (trap '' TERM; echo $BASHPID > deaf; while :; do sleep 1; done) & while :; do sleep 1; done`,
      {
        signal: abort.signal,
      },
    );
    const child = await pidIn('deaf');
    const start = Date.now();
    abort.abort();
    expect(await running).toMatchObject({ ended: 'abort', exitCode: 137 });
    expect(isAlive(child)).toBe(false);
    expect(Date.now() - start).toBeGreaterThan(1900);
  });

  it('leaves nothing running when it has ended', async () => {
    const { exitCode, output } = await run('sleep 1000 & echo $! > left; echo done');
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: 'done\n' });
    expect(isAlive(await pidIn('left'))).toBe(false);
  });

  it('does not start once it was given up', async () => {
    expect(await run('touch never', { signal: AbortSignal.abort() })).toMatchObject({ ended: 'abort' });
    expect(existsSync(join(cwd, 'never'))).toBe(false);
  });

  it('shows the first 60 % and the last 40 % of 30,000 characters, and keeps all in a file', async () => {
    const outputFile = join(cwd, 'all.txt');
    const { output, isTruncated } = await run('seq 1 20000', { outputFile });
    const all = readFileSync(outputFile, 'utf8');
    const [head = '', tail = ''] = output.split(/\n\[… .* …\]\n/);
    expect({ isTruncated, head: head.length, tail: tail.length }).toEqual({
      isTruncated: true,
      head: 18_000,
      tail: 12_000,
    });
    expect(all.startsWith(head) && all.endsWith(tail) && all.endsWith('20000\n')).toBe(true);
    expect(output).toContain(`${all.length - 30_000} characters are missing here; all of it is in ${outputFile}`);
  });

  it('of 100 MB leaves 50 MB in the file and little in memory', async () => {
    const outputFile = join(cwd, 'big.txt');
    let peak = 0;
    const before = process.memoryUsage().rss;
    await run('yes 0123456789 | head -c 100000000', {
      outputFile,
      onOutput: () => (peak = Math.max(peak, process.memoryUsage().rss - before)),
    });
    expect(statSync(outputFile).size).toBe(50_000_000);
    expect(peak).toBeLessThan(150_000_000);
  });

  it('that never ends its output is ended by its time', async () => {
    expect(await run('yes', { timeoutMs: 500 })).toMatchObject({ ended: 'timeout', isTruncated: true });
  });

  it('that looks like an option of bash is none', async () => {
    expect(await run('-i')).toMatchObject({ exitCode: 127, output: expect.stringContaining('-i: command not found') });
  });

  it('cuts no character in two', async () => {
    expect(await run(`for i in $(seq 200); do printf '\\xe2\\x82'; printf '\\xac'; done`)).toMatchObject({
      output: '€'.repeat(200),
    });
  });
});

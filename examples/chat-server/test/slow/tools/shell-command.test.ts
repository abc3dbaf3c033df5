import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeCommand } from '../../../src/approval/command-approval.js';
import { shellCommandTool } from '../../../src/tools/shell-command.js';
import type { ToolOutput } from '../../../src/tools/tool-def.js';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace.js';

const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  OPENAI_API_KEY: 'sk-a-key-that-is-secret',
  CHAT_TOKEN: 'the-token-of-the-server',
  DATABASE_PASSWORD: 'a-password',
  HARMLESS: 'duck',
};

function run(
  at: TestWorkspace,
  command: string,
  more: { timeoutMs?: number; signal?: AbortSignal; isUnasked?: boolean } = {},
): Promise<ToolOutput> {
  const { signal = new AbortController().signal, isUnasked, ...input } = more;
  const tool = shellCommandTool(at, { env: ENV, closed: at.closed });
  return tool.execute({ command, ...input }, { toolCallId: 'call_1', signal, isUnasked });
}

describe('a command', () => {
  it('runs in the workspace, and tells both outputs and how it ended', async () => {
    const at = makeWorkspace({ 'a.md': 'quack' });
    expect(await run(at, 'cat a.md; pwd')).toEqual({ ok: true, exitCode: 0, output: `quack${at.root}\n` });
    expect(await run(at, 'echo one; echo two >&2; exit 3')).toEqual({
      ok: false,
      error: 'It ended with exit code 3.',
      exitCode: 3,
      output: 'one\ntwo\n',
    });
  });

  it('does not run if nobody was asked about it, and files changed since it was judged', async () => {
    const at = makeWorkspace({ 'a.md': 'quack' });
    expect(await run(at, 'cat a.md', { isUnasked: true })).toMatchObject({ ok: true, output: 'quack' });
    rmSync(join(at.root, 'a.md'));
    symlinkSync('/etc/hostname', join(at.root, 'a.md'));
    await expect(run(at, 'cat a.md', { isUnasked: true })).rejects.toThrow(
      'It did not run, because it now needs approval: a.md is outside of the workspace. Call it again.',
    );
    expect(await run(at, 'cat a.md')).toMatchObject({ ok: true });
  });

  it.each(['env', 'export -p', 'node -p "JSON.stringify(process.env)"', 'cat /proc/self/environ'])(
    'sees no key of the server: %s',
    async (command) => {
      const { output } = await run(makeWorkspace(), command);
      expect(String(output)).toContain('HARMLESS');
      expect(String(output)).not.toMatch(/sk-a-key|the-token-of|a-password/);
    },
  );

  it('is ended when it takes too long, with all that it started', async () => {
    const at = makeWorkspace();
    const { error } = await run(at, 'sleep 600 & echo $! > child; wait', { timeoutMs: 300 });
    expect(error).toBe('It took longer than 300 ms and was ended.');
    const pid = readFileSync(join(at.root, 'child'), 'utf8').trim();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is ended when the turn is stopped', async () => {
    const stop = new AbortController();
    const at = makeWorkspace();
    const running = run(at, 'touch begun; sleep 600', { signal: stop.signal });
    await expect.poll(() => existsSync(join(at.root, 'begun')), { timeout: 20_000 }).toBe(true);
    stop.abort();
    expect(await running).toMatchObject({ ok: false, error: 'It was stopped.' });
  });

  it('says where its output was cut', async () => {
    const result = await run(makeWorkspace(), 'yes duck | head -c 200000');
    expect(result).toMatchObject({ ok: true, isTruncated: true });
    expect(String(result['output']).length).toBeLessThan(31_000);
  });

  it('that only reads starts nothing that the repository names', async () => {
    const at = makeWorkspace({ 'a.md': 'one\n' });
    const git = (...args: string[]): unknown =>
      execFileSync('git', args, { cwd: at.root, env: { PATH: process.env['PATH'], HOME: at.root } });
    git('init', '-q');
    git('add', 'a.md');
    writeFileSync(join(at.root, 'evil.sh'), '#!/bin/sh\ntouch "$(dirname "$0")/owned"\n');
    chmodSync(join(at.root, 'evil.sh'), 0o755);
    writeFileSync(join(at.root, 'a.md'), 'two\n');
    const hook = join(at.root, '.git/hooks/post-index-change');
    copyFileSync(join(at.root, 'evil.sh'), hook);
    chmodSync(hook, 0o755);
    expect(judgeCommand('git diff && git status', at)).toEqual({ decision: 'run' });
    await run(at, 'git diff && git status');
    expect(existsSync(join(at.root, '.git/hooks/owned'))).toBe(false);
    for (const name of ['core.fsmonitor', 'core.pager', 'diff.external', 'pager.diff', 'pager.status']) {
      git('config', name, join(at.root, 'evil.sh'));
      expect(judgeCommand('git diff && git status', at), name).toMatchObject({ decision: 'ask' });
      git('config', '--unset', name);
    }
    git('config', 'diff.external', join(at.root, 'evil.sh'));
    await expect(run(at, 'git diff && git status', { isUnasked: true })).rejects.toThrow('It did not run');
    expect(existsSync(join(at.root, 'owned'))).toBe(false);
  });
});

/** One that has ended, and that nobody has asked after yet, is still listed. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

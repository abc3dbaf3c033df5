import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { safeEnvironment } from '../../clean-environment.js';
import { classifyCommand } from '../../command-policy.js';
import { createPathGuard } from '../../path-guard.js';
import { runCommand } from '../../run-command.js';
import { withSafeGit } from '../../safe-git.js';

const HAS_LFS = spawnSync('git', ['lfs', 'version']).status === 0;
const base = realpathSync(mkdtempSync(join(tmpdir(), 'lfs-')));
afterAll(() => rmSync(base, { recursive: true }));
const [cwd, home, evil, ran] = ['work', 'home', 'evil.sh', 'ran'].map((name) => join(base, name)) as [
  string,
  string,
  string,
  string,
];
const guard = createPathGuard({ roots: [cwd] });
const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const COMMANDS = [
  'git diff',
  'git diff --stat',
  'git status',
  'git blame a.bin',
  'git log -p',
  'git show',
  'git grep two',
];
const judge = (command: string): ReturnType<typeof classifyCommand> => classifyCommand(command, { cwd, guard, home });

/** As the tools run what was found safe. */
async function run(command: string, variables: Record<string, string>): Promise<string> {
  const { plain = [] } = judge(command);
  const { output } = await runCommand({ command: withSafeGit(command, plain), cwd, env: variables, timeoutMs: 20_000 });
  return output;
}

describe.runIf(HAS_LFS)('with the real git-lfs among the settings of the user', () => {
  let before: Record<string, string>;
  beforeAll(() => {
    for (const folder of [cwd, home]) mkdirSync(folder);
    writeFileSync(evil, `#!/bin/sh\ntouch '${ran}'\ncat\n`);
    chmodSync(evil, 0o755);
    git('init', '-q', '-b', 'main');
    git('lfs', 'install', '--skip-repo');
    writeFileSync(join(cwd, '.gitattributes'), '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    writeFileSync(join(cwd, 'a.bin'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'base');
    writeFileSync(join(cwd, 'a.bin'), 'two\n');
    git('config', 'lfs.repositoryformatversion', '0');
    before = safeEnvironment({ ...process.env, HOME: home }, { cwd, guard });
  });

  it('a repository of its own making is read unasked, and git-lfs is not started', async () => {
    expect(COMMANDS.map((command) => judge(command).class)).toEqual(COMMANDS.map(() => 'safe'));
    expect(await run('git diff', before)).toContain('+two');
    expect(await run('git status --short', before)).toBe(' M a.bin\n');
    expect(await run('git diff', { ...before, GIT_TRACE: '1' })).not.toContain('run_command');
  });

  it('one that names an extension of git-lfs is asked about, and starts it not even without the check', async () => {
    appendFileSync(
      join(cwd, '.git/config'),
      `[lfs "extension.evil"]\n\tclean = ${evil} %f\n\tsmudge = cat\n\tpriority = 0\n`,
    );
    git('diff');
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    for (const command of COMMANDS) {
      expect(judge(command)).toMatchObject({
        class: 'ask',
        reason: expect.stringContaining('it sets lfs.extension.evil.clean'),
      });
      await run(command, before);
      expect(existsSync(ran)).toBe(false);
    }
  });
});

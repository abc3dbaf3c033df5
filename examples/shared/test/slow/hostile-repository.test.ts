import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { safeEnvironment } from '../../clean-environment.js';
import { classifyCommand } from '../../command-policy.js';
import { createPathGuard } from '../../path-guard.js';
import { runCommand } from '../../run-command.js';
import { withSafeGit } from '../../safe-git.js';
import { COMMANDS } from '../helpers/command-table.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')));
afterAll(() => rmSync(base, { recursive: true }));
const cwd = join(base, 'work');
const ran = join(base, 'ran');
mkdirSync(cwd);
mkdirSync(ran);
const guard = createPathGuard({ roots: [cwd] });
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });

/** A program that leaves a trace of having run. */
function trap(name: string): string {
  const path = join(cwd, `trap-${name}`);
  writeFileSync(path, `#!/bin/sh\ntouch '${join(ran, name)}'\ncat >/dev/null 2>&1 </dev/null\nexit 0\n`);
  chmodSync(path, 0o755);
  return path;
}

git('init', '-q', '-b', 'main');
for (const name of ['a.txt', 'b.txt']) writeFileSync(join(cwd, name), 'one\ntwo\n');
mkdirSync(join(cwd, 'src/deep'), { recursive: true });
writeFileSync(join(cwd, 'src/x.ts'), 'export {};\n');
writeFileSync(join(cwd, 'package.json'), '{}');
git('add', '.');
git('commit', '-qm', 'first');
writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n');
git('commit', '-qam', 'second');
git('branch', 'dev');
git('remote', 'add', 'origin', 'ext::sh -c "touch x"');
// A signed commit, so that a signature could be verified.
const tree = git('write-tree').trim();
const parent = git('rev-parse', 'HEAD').trim();
const signed = `tree ${tree}\nparent ${parent}\nauthor a <a@b.example> 1700000000 +0000\ncommitter a <a@b.example> 1700000000 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n\nsigned\n`;
const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
  cwd,
  input: signed,
  encoding: 'utf8',
}).trim();
git('update-ref', 'refs/heads/main', commit);

// What the tool finds while the repository is harmless: all that follows gets by the check of its settings.
const place = { cwd, guard };
const gitVariables = Object.entries(safeEnvironment(process.env, place)).filter(([name]) => name.startsWith('GIT_'));

// All that a checkout may name to be started.
const settings: Record<string, string> = {
  'core.pager': trap('pager'),
  'pager.log': trap('pager-log'),
  'pager.diff': trap('pager-diff'),
  'core.fsmonitor': trap('fsmonitor'),
  'core.editor': trap('editor'),
  'core.sshCommand': trap('ssh'),
  'core.askPass': trap('askpass'),
  'core.hooksPath': join(cwd, 'hooks'),
  'diff.external': trap('external'),
  'diff.trapped.command': trap('diff-command'),
  'diff.trapped.textconv': trap('textconv'),
  'merge.trapped.driver': trap('merge-driver'),
  'log.showSignature': 'true',
  'gpg.program': trap('gpg'),
  'gpg.ssh.program': trap('gpg-ssh'),
  'credential.helper': trap('credential'),
  'interactive.diffFilter': trap('diff-filter'),
  'core.gitProxy': trap('proxy'),
  'core.alternateRefsCommand': trap('alternate'),
  'uploadpack.packObjectsHook': trap('pack'),
  'remote.origin.uploadpack': trap('uploadpack'),
  'alias.status': `!${trap('alias')}`,
  'alias.diff': `!${trap('alias-diff')}`,
  'trailer.x.command': trap('trailer'),
  'browser.x.cmd': trap('browser'),
  'protocol.ext.allow': 'always',
  'status.submoduleSummary': 'true',
  'diff.submodule': 'diff',
};
for (const [name, value] of Object.entries(settings)) git('config', name, value);
writeFileSync(join(cwd, '.gitattributes'), '*.txt diff=trapped merge=trapped\n*.ts diff=trapped\n');
mkdirSync(join(cwd, 'hooks'));
for (const name of [
  'post-index-change',
  'pre-commit',
  'post-checkout',
  'fsmonitor-watchman',
  'reference-transaction',
]) {
  writeFileSync(join(cwd, 'hooks', name), `#!/bin/sh\ntouch '${join(ran, name)}'\n`);
  chmodSync(join(cwd, 'hooks', name), 0o755);
}
// A nested repository, which the outer one knows as a submodule.
mkdirSync(join(cwd, 'sub'));
execFileSync('git', ['init', '-q'], { cwd: join(cwd, 'sub') });
execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-q', '--allow-empty', '-m', 'x'], {
  cwd: join(cwd, 'sub'),
});
execFileSync('git', ['config', 'core.fsmonitor', trap('sub-fsmonitor')], { cwd: join(cwd, 'sub') });
execFileSync('git', ['config', 'diff.external', trap('sub-external')], { cwd: join(cwd, 'sub') });
const inSub = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: join(cwd, 'sub'), encoding: 'utf8' }).trim();
git(
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  'update-index',
  '--add',
  '--cacheinfo',
  `160000,${inSub},sub`,
);
// Programs of the list, shadowed in the workspace.
mkdirSync(join(cwd, 'bin'));
for (const name of ['ls', 'git', 'cat', 'grep', 'bash', 'sort', 'head', 'find']) {
  writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\ntouch '${join(ran, `shadow-${name}`)}'\n`);
  chmodSync(join(cwd, 'bin', name), 0o755);
}
writeFileSync(join(cwd, '.ripgreprc'), `--pre=${trap('rg-pre')}\n`);
writeFileSync(join(cwd, 'start'), `touch '${join(ran, 'bash-env')}'\n`);
const env = {
  ...process.env,
  PATH: `${join(cwd, 'bin')}:.:bin:${process.env['PATH']}`,
  RIPGREP_CONFIG_PATH: join(cwd, '.ripgreprc'),
  BASH_ENV: join(cwd, 'start'),
  ENV: join(cwd, 'start'),
  'BASH_FUNC_ls%%': `() { touch '${join(ran, 'function')}'; }`,
  GIT_EXTERNAL_DIFF: trap('env-external'),
  GIT_PAGER: trap('env-pager'),
  GIT_SSH_COMMAND: trap('env-ssh'),
  LESSOPEN: `|${trap('lessopen')} %s`,
  GIT_TRACE2: join(ran, 'trace'),
};

const MORE = [
  'git diff HEAD~2',
  'git diff HEAD~2 --stat',
  'git log -p',
  'git log --stat -3',
  'git show HEAD',
  'git show HEAD~1 -- a.txt',
  'git status --porcelain',
  'git diff --cached',
  'git diff --word-diff HEAD~1',
  'git blame a.txt',
  'git ls-files -m -o --exclude-standard',
  'git ls-files -s',
  'git log --graph --oneline --all',
  'git branch -vv',
  'git describe --always',
  'git status --ignored',
  'git 2>/dev/null diff HEAD~2',
];

/** As the tool runs it, but for the check of the repository's settings. */
async function runSafe(command: string): Promise<string> {
  const { class: found, plain = [], reason } = classifyCommand(command, { cwd, guard, home: base });
  if (found !== 'safe' && !/config: it sets/.test(reason)) return `not safe: ${reason}`;
  const { output } = await runCommand({
    command: withSafeGit(command, plain),
    cwd,
    env: { ...safeEnvironment(env, place), ...Object.fromEntries(gitVariables) },
    timeoutMs: 20_000,
  });
  return output;
}

describe('in a repository that names a program wherever it can', () => {
  it('the traps work: git started by hand falls into them', () => {
    const index = join(cwd, '.git/index');
    execFileSync('touch', ['-d', '2001-01-01', join(cwd, 'a.txt'), index]);
    for (const args of [['diff', 'HEAD~2'], ['status'], ['log', '-1', '-p'], ['blame', 'a.txt']]) {
      try {
        execFileSync('git', args, { cwd, stdio: 'ignore' });
      } catch {
        // Only what it started counts.
      }
    }
    const traces = readdirSync(ran);
    for (const name of traces) rmSync(join(ran, name));
    expect(traces).toEqual(expect.arrayContaining(['external', 'fsmonitor', 'gpg', 'sub-fsmonitor', 'textconv']));
  });

  it.each([...MORE, ...COMMANDS.safe.filter((command) => !/WORK|in-link/.test(command))])(
    '%j starts none of them',
    async (command) => {
      execFileSync('touch', [join(cwd, 'a.txt')]);
      const output = await runSafe(command);
      expect(output).not.toMatch(/not safe: .*(option|list)|unrecognized|unknown option/i);
      if (!/^git( (--)?help)?$/.test(command)) expect(output).not.toMatch(/usage:/);
      expect(readdirSync(ran)).toEqual([]);
      expect(existsSync(join(cwd, 'x'))).toBe(false);
    },
  );

  it('changes are shown all the same', async () => {
    expect(await runSafe('git diff HEAD~2 -- a.txt')).toContain('+three');
    expect(await runSafe('git 2>/dev/null diff HEAD~2 -- a.txt')).toContain('+three');
    expect(await runSafe('git log --oneline')).toMatch(/signed\n.*second\n.*first/);
    expect(await runSafe('git blame a.txt')).toContain('three');
  });

  it('git is one to ask about', () => {
    const { class: found, reason } = classifyCommand('git status', { cwd, guard, home: base });
    expect({ found, reason }).toEqual({
      found: 'ask',
      reason: expect.stringMatching(/config: it sets \S+, which is not known/),
    });
  });
});

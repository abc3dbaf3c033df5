import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { safeEnvironment } from '../../clean-environment.js';
import { classifyCommand } from '../../command-policy.js';
import { findRepository } from '../../git-repository.js';
import { createPathGuard } from '../../path-guard.js';
import { withSafeGit } from '../../safe-git.js';
import { makeTrappedRepository, type TrappedRepository } from '../helpers/trapped-repository.js';

let repository: TrappedRepository;
let foreign: string;
beforeEach(() => {
  repository = makeTrappedRepository();
  foreign = join(repository.base, 'foreign');
  git(repository.base, 'init', '-q', 'foreign');
  writeFileSync(join(foreign, 'secret'), 'a secret\n');
  git(foreign, 'add', '.');
  git(foreign, 'commit', '-qm', 'a foreign secret');
});
afterEach(() => repository.remove());

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: repository.home, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

const write = (name: string, text: string): void => writeFileSync(join(repository.cwd, name), text);

function judge(command: string, { folder = '.', roots = [repository.cwd] } = {}): { class: string; reason: string } {
  const { class: kind, reason } = classifyCommand(command, {
    cwd: join(repository.cwd, folder),
    guard: createPathGuard({ roots }),
    home: repository.home,
  });
  return { class: kind, reason };
}

/** As the tools do it, also where the policy would not. */
function run(command: string, folder = '.'): string {
  const place = { cwd: join(repository.cwd, folder), guard: createPathGuard({ roots: [repository.cwd] }) };
  const { plain = [] } = classifyCommand(command, { ...place, home: repository.home });
  const env = safeEnvironment({ ...process.env, HOME: repository.home }, place);
  const line = `{ ${withSafeGit(command, plain)}; } 2>&1 || true`;
  return execFileSync('/bin/bash', ['--norc', '-c', line], { cwd: place.cwd, env, encoding: 'utf8' });
}

describe('the repository of a workspace root', () => {
  it('is read unasked, from its folders too', () => {
    expect(judge('git status').class).toBe('safe');
    expect(judge('git log -p', { folder: 'src' }).class).toBe('safe');
    expect(run('git status --short', 'src')).toContain('M ../a.txt');
    expect(run('git -C src rev-parse --show-prefix')).toBe('src/\n');
    expect(run('git stash show')).toContain('a.txt | 2 +-');
    expect(run('git grep -n two src')).toContain('src/x.ts:1:export const two = 22;');
  });

  it('need not be there: git then says so, and looks nowhere else', () => {
    rmSync(join(repository.cwd, '.git'), { recursive: true });
    expect(judge('git log').class).toBe('safe');
    expect(run('git log')).toMatch(/not a git repository/);
    git(repository.base, 'init', '-q');
    expect(judge('git log')).toMatchObject({
      class: 'ask',
      reason: expect.stringContaining('is not that of the workspace'),
    });
    expect(run('git log')).toMatch(/not a git repository/);
  });

  it('takes no settings of the user, whose filters would take orders from the repository', () => {
    git(repository.cwd, 'config', '--global', 'filter.trapped.clean', repository.trap);
    git(repository.cwd, 'config', '--global', 'diff.trapped.textconv', repository.trap);
    expect(judge('git diff').class).toBe('safe');
    expect(run('git diff')).not.toContain('TRAPPED');
    expect(run('git diff')).toContain('+three');
  });

  it('is told to git by name, with nothing to search for', () => {
    const place = { cwd: join(repository.cwd, 'src'), guard: createPathGuard({ roots: [repository.cwd] }) };
    expect(safeEnvironment({}, place)).toMatchObject({
      GIT_DIR: join(repository.cwd, '.git'),
      GIT_COMMON_DIR: join(repository.cwd, '.git'),
      GIT_WORK_TREE: repository.cwd,
      GIT_CEILING_DIRECTORIES: repository.base,
    });
  });

  it('that was changed since it was judged is looked at again when the command runs', () => {
    expect(judge('git log -p').class).toBe('safe');
    write('.git/commondir', `${foreign}/.git`);
    expect(run('git log -p')).toMatch(/not a git repository/);
  });
});

describe('git is asked about', () => {
  const cases: Readonly<
    Record<string, { readonly make: () => void; readonly command?: string; readonly folder?: string }>
  > = {
    'where a folder only looks like a repository': {
      make: () => {
        for (const folder of ['x/objects/info', 'x/refs', 'x/info'])
          mkdirSync(join(repository.cwd, folder), { recursive: true });
        write('x/HEAD', git(repository.cwd, 'rev-parse', 'merged'));
        write('x/refs/y', '');
        write('x/objects/info/alternates', '../../.git/objects');
        write(
          'x/config',
          '[core]\n\tbare = true\n[log]\n\tdiffMerges = remerge\n[merge "e"]\n\tdriver = "id > PWNED; true %A"\n',
        );
        write('x/info/attributes', '* merge=e');
      },
      command: 'git show HEAD',
      folder: 'x',
    },
    'with a commondir': { make: () => write('.git/commondir', `${foreign}/.git`) },
    'with objects of another repository': {
      make: () => write('.git/objects/info/alternates', `${foreign}/.git/objects`),
    },
    'with objects over http': { make: () => write('.git/objects/info/http-alternates', 'http://127.0.0.1/') },
    'with settings of a worktree': { make: () => write('.git/config.worktree', '') },
    'with a link for its objects': {
      make: () => {
        rmSync(join(repository.cwd, '.git/objects'), { recursive: true });
        symlinkSync(join(foreign, '.git/objects'), join(repository.cwd, '.git/objects'));
      },
    },
    'with a link deep among its references': {
      make: () => symlinkSync(join(foreign, '.git/refs/heads'), join(repository.cwd, '.git/refs/remotes')),
    },
    'with a link for its settings': {
      make: () => {
        renameSync(join(repository.cwd, '.git/config'), join(repository.cwd, 'moved'));
        symlinkSync('../moved', join(repository.cwd, '.git/config'));
      },
    },
    'with a pipe in it': { make: () => execFileSync('mkfifo', [join(repository.cwd, '.git/refs/heads/pipe')]) },
    'that is a link': {
      make: () => {
        rmSync(join(repository.cwd, '.git'), { recursive: true });
        symlinkSync(join(foreign, '.git'), join(repository.cwd, '.git'));
      },
    },
    'that is a file': {
      make: () => {
        rmSync(join(repository.cwd, '.git'), { recursive: true });
        write('.git', `gitdir: ${foreign}/.git\n`);
      },
    },
    'in a repository inside of it': {
      make: () => git(repository.cwd, 'init', '-q', 'inner'),
      folder: 'inner',
    },
    'inside of .git': { make: () => undefined, folder: '.git' },
    'with a link for .gitmodules': {
      make: () => symlinkSync(repository.trap, join(repository.cwd, '.gitmodules')),
    },
    'with a submodule that is somebody else': {
      make: () => {
        const id = git(repository.cwd, 'rev-parse', 'HEAD').trim();
        mkdirSync(join(repository.cwd, 'sub'));
        write('sub/.git', `gitdir: ${foreign}/.git\n`);
        git(repository.cwd, 'update-index', '--add', '--cacheinfo', `160000,${id},sub`);
      },
      command: 'git diff',
    },
    'with an index that names a file outside': {
      make: () => {
        mkdirSync(join(repository.cwd, 'zz/outside'), { recursive: true });
        write('zz/outside/trap', 'other\n');
        git(repository.cwd, 'add', 'zz');
        const index = join(repository.cwd, '.git/index');
        const bytes = readFileSync(index, 'latin1').replace('zz/outside/trap', '../outside/trap');
        writeFileSync(index, bytes, 'latin1');
        // Git itself falls for it.
        expect(git(repository.cwd, 'diff')).toContain('TRAPPED');
      },
      command: 'git status',
    },
    'with an index whose rest lies in another file': {
      make: () => git(repository.cwd, 'update-index', '--split-index'),
    },
    'with an index that is not understood': { make: () => write('.git/index', 'DIRCxxxx') },
    'with settings that are not understood': { make: () => write('.git/config', '[core.x]\n\ta = b\n') },
    'where a link took the place of a folder': {
      make: () => {
        rmSync(join(repository.cwd, 'src'), { recursive: true });
        symlinkSync(foreign, join(repository.cwd, 'src'));
      },
      command: 'git grep secret',
    },
  };

  it.each(Object.entries(cases))('%s', (_name, { make, command = 'git log -p', folder = '.' }) => {
    make();
    expect(judge(command, { folder })).toMatchObject({ class: 'ask' });
    // Run all the same, nothing of what lies outside is shown.
    if (command !== 'git grep secret') expect(run(command, folder)).not.toMatch(/secret|PWNED/);
    expect(existsSync(join(repository.cwd, folder, 'PWNED'))).toBe(false);
  });

  it('with a file that belongs to another user', { skip: process.getuid?.() !== 0 }, () => {
    execFileSync('chown', ['12345', join(repository.cwd, '.git/config')]);
    expect(judge('git status').reason).toContain('config belongs to another user');
  });

  it('where it is in another repository than the one that git is told of', () => {
    const roots = [repository.cwd, foreign];
    expect(judge(`git -C ${foreign} log`, { roots })).toMatchObject({
      class: 'ask',
      reason: expect.stringContaining('another repository'),
    });
    expect(judge('git log', { roots }).class).toBe('safe');
  });

  it('where git grep would go through a folder of keys', () => {
    const guard = createPathGuard({ roots: [repository.cwd], closed: [join(repository.cwd, 'src')] });
    const place = { cwd: repository.cwd, guard, home: repository.home };
    expect(classifyCommand('git grep two', place).class).toBe('ask');
    expect(classifyCommand('git status', place).class).toBe('safe');
  });

  it('of a worktree of git, whose repository lies elsewhere', () => {
    git(repository.cwd, 'worktree', 'add', '-q', join(repository.base, 'tree'));
    const guard = createPathGuard({ roots: [join(repository.base, 'tree')] });
    expect(findRepository({ cwd: join(repository.base, 'tree'), guard })).toContain('as those of worktrees do');
    expect(judge('git worktree list').class).toBe('safe');
  });
});

describe('submodules', () => {
  it('that git made itself are no reason to ask', () => {
    git(repository.cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', foreign, 'sub');
    expect(readFileSync(join(repository.cwd, 'sub/.git'), 'utf8')).toBe('gitdir: ../.git/modules/sub\n');
    expect(judge('git status')).toMatchObject({ class: 'safe' });
    writeFileSync(join(repository.cwd, '.git/modules/sub/commondir'), `${foreign}/.git`);
    expect(judge('git status').class).toBe('ask');
  });

  it.each([2, 3, 4])('are found in an index of version %d', (version) => {
    const id = git(repository.cwd, 'rev-parse', 'HEAD').trim();
    for (const name of ['a/b/c/sub', 'a/b/cc', 'z'])
      git(repository.cwd, 'update-index', '--add', '--cacheinfo', `160000,${id},${name}`);
    if (version === 3) git(repository.cwd, 'add', '-N', '.gitattributes');
    git(repository.cwd, 'update-index', '--index-version', String(version));
    const guard = createPathGuard({ roots: [repository.cwd] });
    const found = findRepository({ cwd: repository.cwd, guard });
    const listed = git(repository.cwd, 'ls-files', '-s').trim().split('\n');
    expect(found).toMatchObject({
      entries: listed.map((line) => ({ path: line.split('\t')[1], isSubmodule: line.startsWith('160000') })),
    });
  });
});

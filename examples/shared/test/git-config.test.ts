import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseGitConfig, settingProblem } from '../git-config.js';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const problemOf = (text: string): string | undefined => {
  const settings = parseGitConfig(text);
  return typeof settings === 'string' ? settings : settingProblem(settings);
};

/** What git reads; `undefined` if it refuses the text. Blanks inside of values differ between its versions. */
function readByGit(text: string): string[] | undefined {
  const file = join(folder, 'config');
  writeFileSync(file, text);
  try {
    const listed = execFileSync('git', ['config', '-z', '--no-includes', '--list', '--file', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return listed
      .split('\0')
      .slice(0, -1)
      .map((entry) => (entry.includes('\n') ? entry : `${entry}\ntrue`).replaceAll('\t', ' '));
  } catch {
    return undefined;
  }
}

const PIECES = [
  ...[
    '[core]',
    '[CORE]',
    '[a]',
    '[remote "origin"]',
    '[a "b\\"c"]',
    '[a "b]c"]',
    '[a.b]',
    '[ a]',
    '[a',
    ']',
    '[include]',
    '[a"b"]',
  ],
  ...[
    'bare',
    'worktree',
    'path',
    'x-y',
    '1x',
    ' ',
    '\t',
    '\n',
    '\n',
    '\n',
    '\r\n',
    '\\\n',
    '\\',
    '"',
    '#',
    ';',
    '=',
    ' = ',
    '=',
  ],
  ...['true', 'one two', '\\n', '\\"', '\\x', 'é', '[', '.', '\0', '\u000b', '\ufeff'],
];

describe('settings of a repository', () => {
  it('are read as git reads them, or not at all, whatever the text is', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), fc.boolean(), (pieces, isSectioned) => {
        const text = (isSectioned ? '[core]\n' : '') + pieces.join('');
        const settings = parseGitConfig(text);
        if (typeof settings === 'string') return;
        read += 1;
        expect(settings.map(({ name, value }) => `${name}\n${value}`.replaceAll('\t', ' '))).toEqual(readByGit(text));
      }),
      { numRuns: 1200 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it.each([
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
    '[core] bare = "false" ; a comment\n[Remote "origin"] url=git@host:a/b.git # another\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[branch "a.b/c"]\n\tremote = origin\n\tmerge = refs/heads/a\\\nb\n\trebase\n[user]\n\tname = A "B" C\n\temail = a@b.example\n',
    '[lfs]\n\trepositoryformatversion = 0\n[lfs "https://host/a.git/info/lfs"]\n\taccess = basic\n',
    '[submodule "x"]\n\turl = ../x\n\tactive = true\n[commit]\n\tgpgsign = true\n[core]\n\tautocrlf = input\r\n',
    '[core]\n\thooksPath = .husky/_\n\tfsmonitor = false\n[gitflow "prefix"]\n\tfeature = feature/\n',
    '',
    '# nothing\n',
  ])('%j are harmless', (text) => {
    expect(problemOf(text)).toBeUndefined();
    expect(readByGit(text)).toBeDefined();
  });

  it.each([
    ['[a][core]\tworktree = /elsewhere', 'core.worktree'],
    ['[core]bare=false\n[core]WorkTree=/x', 'core.worktree'],
    ['[core]\n\tbare = true', 'core.bare to "true"'],
    ['[core]\n\tbare', 'core.bare to "true"'],
    ['[core]\n\tfsmonitor = /x', 'core.fsmonitor'],
    ['[core]\n\tpager = /x', 'core.pager'],
    ['[core]\n\tautocrlf = /x', 'core.autocrlf to "/x"'],
    ['[core]\n\trepositoryformatversion = 2', 'core.repositoryformatversion to "2"'],
    ['[filter "x"]\n\tclean = /x', 'filter.x.clean'],
    ['[Filter "x"]\n\trequired', 'filter.x.required'],
    ['[lfs "extension.evil"]\n\tclean = /x', 'lfs.extension.evil.clean'],
    ['[lfs]\n\tcustomtransfer.x.path = /x', 'line 2'],
    ['[merge "pwn"]\n\tdriver = /x', 'merge.pwn.driver'],
    ['[log]\n\tdiffMerges = remerge', 'log.diffmerges'],
    ['[blame]\n\tignoreRevsFile = /x', 'blame.ignorerevsfile'],
    ['[include]\n\tpath = /x', 'include.path'],
    ['[includeIf "gitdir:/"]\n\tpath = /x', 'includeif.gitdir:/.path'],
    ['[diff]\n\torderFile = /x', 'diff.orderfile'],
    ['[remote "origin"]\n\tuploadpack = /x', 'remote.origin.uploadpack'],
    ['[remote "origin"]\n\tpromisor = true', 'remote.origin.promisor'],
    ['[extensions]\n\tpartialClone = origin', 'extensions.partialclone'],
    ['[extensions]\n\tworktreeConfig = true', 'extensions.worktreeconfig'],
    ['[submodule "x"]\n\tupdate = !ls', 'submodule.x.update to "!ls"'],
    ['[alias]\n\tstatus = !ls', 'alias.status'],
    ['[url "x"]\n\tinsteadOf = y', 'url.x.insteadof'],
    ['[__proto__]\n\tx = y', 'line 1'],
    ['[constructor]\n\tname = y', 'constructor.name'],
    ['[core.worktree]\n\tx = 1', 'line 1'],
    ['bare = true', 'line 1'],
    ['[core]\n\tname = "a\n"', 'line 2'],
    ['[core]\n\tbare = false\\', 'line 2'],
    ['[core] bare = false\u0000', 'control characters'],
  ])('%j makes git ask, and the reason names %j', (text, named) => {
    expect(problemOf(text)).toContain(named);
  });
});

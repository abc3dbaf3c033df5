import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PlainArg, PlainCommand } from './parse-command.js';
import type { PathGuard } from './path-guard.js';
import type { SafeProgram } from './safe-programs.js';
import { sortArgs } from './sort-args.js';

export interface SafeContext {
  readonly cwd: string;
  readonly guard: PathGuard;
}

interface GitCommand extends SafeProgram {
  /** Put behind the subcommand when it runs, so that nothing the repository names is started. */
  readonly added?: string;
}

const words = (text: string): string[] => text.split(' ');

const DIFF_LONG = words(
  'cached staged stat shortstat numstat name-only name-status summary no-color color color-words word-diff patience histogram ' +
    'minimal no-renames check raw patch no-patch exit-code quiet ignore-space-change ignore-all-space ignore-blank-lines ' +
    'ignore-space-at-eol function-context no-prefix full-index binary text merge-base no-ext-diff no-textconv compact-summary ' +
    'patch-with-stat find-renames find-copies unified abbrev pickaxe-regex',
);
const DIFF_VALUES = words(
  'unified diff-filter word-diff color stat diff-algorithm abbrev inter-hunk-context find-renames',
);
const LOG_LONG = words(
  'oneline all graph decorate no-decorate no-merges merges follow first-parent reverse abbrev-commit branches tags remotes ' +
    'left-right cherry-pick topo-order date-order author-date-order full-history simplify-merges regexp-ignore-case ' +
    'extended-regexp fixed-strings all-match invert-grep walk-reflogs boundary parents children cherry source pretty no-notes',
);
const LOG_VALUES = words(
  'max-count skip since after until before author committer grep format pretty date decorate branches tags remotes min-parents max-parents',
);

/** Git verifies signatures with the program that the repository names. */
function formatProblem(args: readonly PlainArg[]): string | undefined {
  return args.some(({ value }) => /%G|signature/.test(value)) ? 'git may start gpg for signatures' : undefined;
}

const LISTS = /^--(list|contains|no-contains|merged|no-merged|points-at)(=|$)/;

function branchProblem(args: readonly PlainArg[]): string | undefined {
  const isListing = args.some(({ value }) => LISTS.test(value));
  if (!isListing && args.some(({ value }) => !value.startsWith('-'))) return 'git branch with a name makes a branch';
  return formatProblem(args);
}

function remoteProblem(args: readonly PlainArg[]): string | undefined {
  const [first, ...rest] = args.map(({ value }) => value);
  if (first === undefined || (/^(-v|--verbose)$/.test(first) && rest.length === 0)) return undefined;
  const isUrl = first === 'get-url' && rest.filter((value) => !value.startsWith('-')).length === 1;
  return isUrl ? undefined : 'git remote may change remotes or ask them';
}

const DIFF: GitCommand = {
  flags: 'pubwRzaWsMCD',
  values: 'SG',
  joined: 'U',
  long: DIFF_LONG,
  longValues: DIFF_VALUES,
  added: '--no-ext-diff --no-textconv --ignore-submodules=dirty',
};
const LOG: GitCommand = {
  flags: 'pubwRzaWsMCDiEFPgmct',
  values: 'SGLn',
  joined: 'U',
  long: [...DIFF_LONG, ...LOG_LONG],
  longValues: [...DIFF_VALUES, ...LOG_VALUES],
  hasCount: true,
  problem: formatProblem,
  added: '--no-ext-diff --no-textconv --no-show-signature',
};

const SUBCOMMANDS: Readonly<Record<string, GitCommand>> = {
  status: {
    flags: 'sbz',
    long: words(
      'short branch porcelain long untracked-files show-stash ignored renames no-renames ahead-behind no-ahead-behind column no-column',
    ),
    longValues: words('porcelain untracked-files ignored'),
    exact: ['-uno', '-uall', '-unormal', '-u'],
    added: '--ignore-submodules=dirty',
  },
  diff: DIFF,
  log: LOG,
  show: LOG,
  branch: {
    flags: 'arvi',
    long: words(
      'all remotes list verbose show-current no-color color ignore-case column no-column contains no-contains merged no-merged points-at',
    ),
    longValues: words('contains no-contains merged no-merged points-at sort format abbrev color'),
    texts: 'all',
    problem: branchProblem,
  },
  'rev-parse': {
    flags: 'q',
    long: words(
      'show-toplevel git-dir absolute-git-dir git-common-dir abbrev-ref show-prefix show-cdup is-inside-work-tree is-inside-git-dir ' +
        'is-bare-repository short verify symbolic-full-name symbolic quiet all branches tags remotes',
    ),
    longValues: ['short', 'abbrev-ref', 'branches', 'tags', 'remotes'],
    texts: 'all',
  },
  'ls-files': {
    flags: 'cdmoikstuvz',
    values: 'x',
    long: words(
      'cached deleted modified others ignored stage unmerged killed exclude-standard full-name error-unmatch deduplicate directory no-empty-directory eol',
    ),
    longValues: ['exclude', 'abbrev'],
  },
  blame: {
    flags: 'lfnwsebtpCM',
    values: 'L',
    long: words('porcelain line-porcelain show-name show-number show-email root no-progress'),
    longValues: ['date', 'abbrev'],
    added: '--no-textconv',
  },
  describe: {
    long: words('tags all long always exact-match first-parent'),
    longValues: words('match exclude abbrev candidates'),
    texts: 'all',
  },
  remote: { flags: 'v', long: ['verbose', 'all', 'push'], texts: 'all', problem: remoteProblem },
};

/** Why this command of git may do more than read the repository. */
export function gitProblem(args: readonly PlainArg[], { cwd, guard }: SafeContext): string | undefined {
  const [first, ...rest] = args;
  const subcommand =
    first !== undefined && Object.hasOwn(SUBCOMMANDS, first.value) ? SUBCOMMANDS[first.value] : undefined;
  if (first === undefined || subcommand === undefined)
    return `git ${first?.value ?? ''} is not on the list of commands that only read`;
  const sorted = sortArgs(rest, subcommand);
  const outside = sorted.paths.find(({ value }) => !guard.resolve(value, cwd).isReadable);
  return (
    sorted.problem ??
    subcommand.problem?.(rest, sorted.texts) ??
    (outside && `${outside.value} is outside of the workspace`) ??
    (isElsewhere(cwd, guard) ? 'the files of the repository lie outside of the workspace' : undefined) ??
    (namesFilters(cwd)
      ? 'the settings of the repository name filters or other files, which git would start or read'
      : undefined)
  );
}

/** The text of a safe command with what git needs to be told, so that it starts nothing that the repository names. */
export function withSafeGit(source: string, commands: readonly PlainCommand[]): string {
  const insertions = commands.flatMap(({ name, args, argEnds: [firstArgEnd = 0] }) => {
    const added = name === 'git' ? SUBCOMMANDS[args[0]?.value ?? '']?.added : undefined;
    return added === undefined ? [] : [{ at: firstArgEnd, text: ` ${added}` }];
  });
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

const SETTINGS: Readonly<Record<string, string>> = {
  'core.pager': 'cat',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.sshCommand': 'false',
  'core.askPass': 'false',
  'core.editor': 'false',
  'diff.external': '',
  'diff.submodule': 'short',
  'diff.ignoreSubmodules': 'dirty',
  'status.submoduleSummary': 'false',
  'log.showSignature': 'false',
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  'credential.helper': '',
  'protocol.allow': 'never',
};

/** Variables under which git starts nothing, asks no server and writes no index, whatever the repository's settings say. */
export const SAFE_GIT_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: String(Object.keys(SETTINGS).length),
  ...Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // A repository with parts missing would fetch them, by a program of its choice.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Whether settings of the repository around the folder name filters, further files that may, or other files as its own. */
function namesFilters(cwd: string): boolean {
  const gitDir = repositoryOf(cwd)?.gitDir;
  return gitDir !== undefined && configsOf(gitDir).some(isSuspicious);
}

/** A file or a link of the workspace may pass another repository for its own. A worktree is named by its repository. */
function isElsewhere(cwd: string, guard: PathGuard): boolean {
  const { folder, gitDir } = repositoryOf(cwd) ?? {};
  if (folder === undefined || gitDir === undefined || !guard.resolve(folder, cwd).isReadable) return false;
  if (guard.resolve(gitDir, cwd).isReadable) return false;
  return textOf(join(gitDir, 'gitdir'))?.trim() !== join(folder, '.git');
}

function repositoryOf(cwd: string): { readonly folder: string; readonly gitDir: string } | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(folder);
    if (gitDir !== undefined) return { folder, gitDir };
    if (folder === dirname(folder)) return undefined;
  }
}

function gitDirOf(folder: string): string | undefined {
  const path = join(folder, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return path;
  if (stat?.isFile() === true) {
    const [, target] = /^gitdir: *(.+?)\s*$/m.exec(readFileSync(path, 'utf8')) ?? [];
    return target === undefined ? path : resolve(folder, target);
  }
  // A folder may be a bare repository itself.
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects')) ? folder : undefined;
}

function configsOf(gitDir: string): string[] {
  const common = textOf(join(gitDir, 'commondir'))?.trim();
  const folders = common === undefined ? [gitDir] : [gitDir, resolve(gitDir, common)];
  return folders.flatMap((folder) => [join(folder, 'config'), join(folder, 'config.worktree')]);
}

function isSuspicious(path: string): boolean {
  return /\[\s*(filter|include)|^\s*(\[[^\]\n]*\]\s*)?worktree\b/im.test(textOf(path) ?? '');
}

function textOf(path: string): string | undefined {
  try {
    // A pipe would be waited for.
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : '[include]';
  } catch (error) {
    // What cannot be read may say anything.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '[include]';
  }
}

import { commitFormatProblem, refFormatProblem } from './git-formats.js';
import type { PlainArg } from './parse-command.js';
import type { SafeProgram } from './safe-programs.js';

/** What a command of git that only reads may be given. Words that are no options are looked at as paths, also if they name commits. */
export interface GitCommand extends SafeProgram {
  /** Put behind the command when it runs, so that nothing the repository names is started. */
  readonly added?: string;
  /** How many words it takes beside its options: the least and the most. */
  readonly count?: readonly [number, number];
  /** The word behind the command chooses one of these. */
  readonly actions?: Readonly<Record<string, GitCommand>>;
  /** Goes by the paths of the index and follows links in the place of folders. */
  readonly followsIndex?: boolean;
}

const words = (text: string): string[] => text.split(' ');

const DIFF_LONG = words(
  'cached staged stat shortstat numstat name-only name-status summary no-color color color-words word-diff patience histogram ' +
    'minimal no-renames check raw patch no-patch exit-code quiet ignore-space-change ignore-all-space ignore-blank-lines ' +
    'ignore-space-at-eol function-context no-prefix full-index binary text merge-base no-ext-diff no-textconv compact-summary ' +
    'patch-with-stat find-renames find-copies unified abbrev pickaxe-regex',
);
const DIFF_VALUES = words(
  'unified diff-filter word-diff color stat diff-algorithm abbrev inter-hunk-context find-renames ' +
    'output-indicator-new output-indicator-old output-indicator-context',
);
// `-m`, `-c`, `--cc` and `--diff-merges` are missing: they may merge again, and a merge starts what the repository names.
const LOG_LONG = words(
  'oneline all graph decorate no-decorate no-merges merges follow first-parent reverse abbrev-commit branches tags remotes ' +
    'left-right cherry-pick topo-order date-order author-date-order full-history simplify-merges regexp-ignore-case ' +
    'extended-regexp fixed-strings all-match invert-grep walk-reflogs boundary parents children cherry source pretty no-notes ' +
    'no-walk ancestry-path no-abbrev-commit',
);
const LOG_VALUES = words(
  'max-count skip since after until before author committer grep format pretty date decorate branches tags remotes min-parents max-parents',
);

const DIFF: GitCommand = {
  flags: 'pubwRzaWsMCD',
  values: 'SG',
  joined: 'U',
  long: DIFF_LONG,
  longValues: DIFF_VALUES,
  added: '--no-ext-diff --no-textconv --ignore-submodules=dirty',
};
const LOG: GitCommand = {
  flags: 'pubwRzaWsMCDiEFPgt',
  values: 'SGLn',
  joined: 'U',
  long: [...DIFF_LONG, ...LOG_LONG],
  longValues: [...DIFF_VALUES, ...LOG_VALUES],
  hasCount: true,
  problem: commitFormatProblem,
  added: '--no-ext-diff --no-textconv --no-show-signature',
};
const NAMES_ONLY: GitCommand = { count: [0, 0] };

const LISTS = ['--list', '-l', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at'];

/** Of `branch` and `tag`: a name makes one, unless an option says that it is a pattern. Behind `--` nothing is an option. */
function namesProblem(args: readonly PlainArg[]): string | undefined {
  const values = args.map(({ value }) => value);
  const end = values.indexOf('--');
  const options = (end === -1 ? values : values.slice(0, end)).filter((value) => value.startsWith('-'));
  const hasNames = values.some((value) => !value.startsWith('-')) || (end !== -1 && end < values.length - 1);
  const isListing = options.some((option) => LISTS.includes(option.split('=')[0] ?? ''));
  if (hasNames && !isListing) return 'a name without an option that lists would be made or changed';
  return refsProblem(args);
}

function refsProblem(args: readonly PlainArg[]): string | undefined {
  // These take the next word, whatever it looks like, so that `--` or an option would be their value.
  const greedy = args.find(
    ({ value }, at) => LISTS.slice(2).includes(value) && args[at + 1]?.value.startsWith('-') === true,
  );
  return greedy ? `the word behind ${greedy.value} may be its value or an option` : refFormatProblem(args);
}

const REFS_LONG = words('ignore-case no-color color contains no-contains merged no-merged');
const REFS_VALUES = words('contains no-contains merged no-merged points-at sort format color');

export const SUBCOMMANDS: Readonly<Record<string, GitCommand>> = {
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
  reflog: {
    joined: 'n',
    hasCount: true,
    long: words('oneline all no-abbrev-commit no-decorate decorate'),
    longValues: words('max-count date format pretty'),
    problem: commitFormatProblem,
    // Any word, even the value of an option, may be read as one of its commands.
    count: [0, 0],
    actions: { show: LOG },
  },
  'diff-tree': {
    ...DIFF,
    flags: `${DIFF.flags}rt`,
    long: [...DIFF_LONG, 'root', 'no-commit-id', 'pretty', 'oneline'],
    longValues: [...DIFF_VALUES, 'format', 'pretty'],
    problem: commitFormatProblem,
    count: [1, Infinity],
  },
  'rev-list': {
    flags: 'iEFPg',
    values: 'n',
    hasCount: true,
    long: [...LOG_LONG, ...words('count objects no-object-names timestamp header quiet')],
    longValues: LOG_VALUES,
    problem: commitFormatProblem,
  },
  shortlog: {
    flags: 'snec',
    long: words('summary numbered email committer all no-merges merges branches tags remotes'),
    longValues: words('since until after before author committer grep max-count group format'),
    problem: (args) =>
      args.some(({ value }) => value === '--all' || !value.startsWith('-'))
        ? commitFormatProblem(args)
        : 'git shortlog without a commit reads its input',
  },
  branch: {
    flags: 'arvi',
    long: [...REFS_LONG, ...words('all remotes list verbose show-current column no-column')],
    longValues: [...REFS_VALUES, 'abbrev'],
    problem: namesProblem,
  },
  tag: {
    flags: 'li',
    joined: 'n',
    long: [...REFS_LONG, 'list', 'no-column'],
    longValues: REFS_VALUES,
    problem: namesProblem,
  },
  'for-each-ref': { long: REFS_LONG, longValues: [...REFS_VALUES, 'count'], problem: refsProblem },
  'symbolic-ref': { flags: 'q', long: ['quiet', 'short'], count: [1, 1] },
  'merge-base': { flags: 'a', long: words('all octopus independent is-ancestor fork-point'), count: [1, Infinity] },
  'cat-file': { flags: 'tspe', count: [1, 2] },
  'ls-tree': {
    flags: 'rdtlz',
    long: words('name-only name-status long full-tree full-name object-only'),
    longValues: ['abbrev'],
    count: [1, Infinity],
  },
  'rev-parse': {
    flags: 'q',
    long: words(
      'show-toplevel git-dir absolute-git-dir git-common-dir abbrev-ref show-prefix show-cdup is-inside-work-tree is-inside-git-dir ' +
        'is-bare-repository short verify symbolic-full-name symbolic quiet all branches tags remotes',
    ),
    longValues: ['short', 'abbrev-ref', 'branches', 'tags', 'remotes'],
  },
  'ls-files': {
    flags: 'cdmoikstuvz',
    values: 'x',
    long: words(
      'cached deleted modified others ignored stage unmerged killed exclude-standard full-name error-unmatch deduplicate directory no-empty-directory eol',
    ),
    longValues: ['exclude', 'abbrev'],
    followsIndex: true,
  },
  'check-ignore': { flags: 'qvn', long: words('quiet verbose non-matching no-index'), count: [1, Infinity] },
  grep: {
    flags: 'niwvhHlLcEGFPoqaIrzpW',
    values: 'eABCm',
    hasCount: true,
    long: words(
      'cached untracked exclude-standard ignore-case word-regexp invert-match extended-regexp basic-regexp fixed-strings ' +
        'perl-regexp line-number column name-only files-with-matches files-without-match count null only-matching quiet ' +
        'heading break color no-color all-match and or not full-name recursive show-function function-context text',
    ),
    longValues: words('color max-depth max-count after-context before-context context threads'),
    texts: 1,
    insteadOfTexts: ['-e'],
    followsIndex: true,
    added: '--no-textconv',
  },
  blame: {
    flags: 'lfnwsebtpCM',
    values: 'L',
    long: words('porcelain line-porcelain show-name show-number show-email root no-progress'),
    longValues: ['date', 'abbrev'],
    // An empty `blame.ignoreRevsFile` is sorted before the repository's, so that it clears nothing (git 2.39).
    added: '--no-textconv --no-ignore-revs-file',
  },
  describe: {
    long: words('tags all long always exact-match first-parent'),
    longValues: words('match exclude abbrev candidates'),
  },
  remote: {
    flags: 'v',
    long: ['verbose'],
    count: [0, 0],
    actions: { 'get-url': { long: ['all', 'push'], count: [1, 1] } },
  },
  stash: {
    problem: () => 'git stash changes files',
    // `list` starts `git log` without any option of ours, `show` prints a patch as soon as it is given one.
    actions: {
      list: NAMES_ONLY,
      show: { long: words('stat shortstat numstat name-only name-status'), count: [0, 1] },
    },
  },
  worktree: {
    problem: () => 'git worktree changes folders',
    actions: { list: { flags: 'vz', long: ['verbose', 'porcelain'], count: [0, 0] } },
  },
  help: NAMES_ONLY,
};

import { type GitCommand, SUBCOMMANDS } from '../../git-commands.js';

/** Values with which options work; the rest take `1`. */
const VALUES: Readonly<Record<string, string>> = {
  S: 'two',
  G: 'two',
  L: '1,2:a.txt',
  e: 'two',
  x: '*.o',
  since: '2001-01-01',
  after: '2001-01-01',
  until: '2037-01-01',
  before: '2037-01-01',
  author: 'a',
  committer: 'a',
  grep: 'first',
  format: '%H%x09%an%d%n%b',
  pretty: 'fuller',
  date: 'iso',
  decorate: 'full',
  branches: 'm*',
  tags: 'v*',
  remotes: 'o*',
  group: 'author',
  color: 'always',
  'word-diff': 'color',
  'diff-algorithm': 'patience',
  'diff-filter': 'M',
  stat: '80',
  'output-indicator-new': '>',
  'output-indicator-old': '<',
  'output-indicator-context': '_',
  porcelain: 'v2',
  'untracked-files': 'all',
  ignored: 'matching',
  contains: 'HEAD',
  'no-contains': 'HEAD',
  merged: 'HEAD',
  'no-merged': 'HEAD',
  'points-at': 'HEAD',
  sort: '-creatordate',
  'abbrev-ref': 'strict',
  match: 'v*',
  exclude: 'x*',
};
const REF_FORMAT = '%(refname:short) %(objectname) %(subject) %(upstream:track) %(worktreepath)';

/** Words that the commands need to do more than complain. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  log: ['', 'merged -- a.txt'],
  show: ['merged', 'HEAD:a.txt'],
  diff: ['', 'HEAD~2'],
  status: [''],
  'reflog show': [''],
  'diff-tree': ['-p HEAD~1 HEAD', 'merged'],
  'rev-list': ['HEAD'],
  shortlog: ['HEAD'],
  branch: [''],
  tag: [''],
  'symbolic-ref': ['HEAD'],
  'merge-base': ['HEAD HEAD~1'],
  'cat-file': ['HEAD', 'HEAD:a.txt'],
  'ls-tree': ['HEAD', '-r HEAD src'],
  'rev-parse': ['HEAD'],
  'ls-files': [''],
  'check-ignore': ['a.txt x.o'],
  grep: ['two', 'two HEAD -- src'],
  blame: ['a.txt'],
  'remote get-url': ['origin'],
  'stash show': ['', 'refs/stash'],
};

/** Every command of git on the list with each option that it may have, one at a time. */
export function gitForms(): string[] {
  const forms = Object.entries(SUBCOMMANDS).flatMap(([name, command]) => [
    // These have to be followed by one of their actions.
    ...(name === 'stash' || name === 'worktree' ? [] : formsOf(name, command)),
    ...Object.entries(command.actions ?? {}).flatMap(([action, each]) => formsOf(`${name} ${action}`, each)),
  ]);
  return [
    ...new Set([
      ...forms,
      'git',
      'git --version',
      'git --help',
      'git -C src --no-pager log -p',
      'git -P -C src status',
    ]),
  ];
}

function formsOf(name: string, command: GitCommand): string[] {
  const operands = OPERANDS[name] ?? [''];
  const isRef = /^(branch|tag|for-each-ref)$/.test(name);
  const valueOf = (option: string): string =>
    `'${option === 'format' && isRef ? REF_FORMAT : name === 'blame' && option === 'L' ? '1,2' : (VALUES[option] ?? '1')}'`;
  const { flags = '', values = '', joined = '', long = [], longValues = [], exact = [] } = command;
  const options = [
    '',
    ...[...flags].map((letter) => `-${letter}`),
    ...[...values].map((letter) => `-${letter} ${valueOf(letter)}`),
    ...[...joined].map((letter) => `-${letter}1`),
    ...long.map((option) => `--${option}`),
    ...longValues.map((option) => `--${option}=${valueOf(option)}`),
    ...exact,
    ...(command.hasCount === true ? ['-2'] : []),
  ];
  // A patch is where programs would be started.
  const more = /^(log|show|reflog show)$/.test(name) ? [' -p'] : [''];
  return operands.flatMap((operand) =>
    options.flatMap((option) =>
      more.map((patch) => `git ${name}${patch} ${option} ${operand}`.replaceAll(/ +/g, ' ').trim()),
    ),
  );
}

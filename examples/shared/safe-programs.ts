import type { PlainArg } from './parse-command.js';
import { SCRIPT_PROGRAMS } from './script-programs.js';
import { SEARCH_PROGRAMS } from './search-programs.js';
import type { NamedOption } from './sort-args.js';

/** What a program that only reads may be given. Options that are not listed make the command one to ask about. */
export interface SafeProgram {
  /** Single letters that take no value. */
  readonly flags?: string;
  /** Single letters with a value. */
  readonly values?: string;
  /** Single letters with a value that is never the next word. */
  readonly joined?: string;
  /** Long options that may stand without a value. */
  readonly long?: readonly string[];
  /** Long options with a value: joined by `=`, or as the next word unless they stand in `long` too. */
  readonly longValues?: readonly string[];
  /** `-5` stands for a count. */
  readonly hasCount?: boolean;
  /** Further options, as they are written. */
  readonly exact?: readonly string[];
  /** Options that are whole words with one dash, such as `-name`; those with a value stand in `wordValues`. */
  readonly words?: readonly string[];
  readonly wordValues?: readonly string[];
  /** How many of the first arguments are text; `all`: none is a path. */
  readonly texts?: number | 'all';
  /** Options that take the place of those texts, so that all arguments are paths. */
  readonly insteadOfTexts?: readonly string[];
  /** Goes through a folder that is an argument, and follows the links in it. */
  readonly takesNoFolder?: boolean;
  readonly maxPaths?: number;
  /** Nothing that begins with a dash may follow an argument, as it may be an option, or another argument. */
  readonly optionsFirst?: boolean;
  /** Goes through folders, also without a path. */
  readonly isRecursive?: boolean | string;
  /** The letter of the option by which it follows the links that it finds. */
  readonly followsLinks?: string;
  /** Why it cannot be said to only read, for what the lists above cannot say. */
  readonly problem?: (
    args: readonly PlainArg[],
    texts: readonly string[],
    named?: readonly NamedOption[],
  ) => string | undefined;
}

const HASH: SafeProgram = { flags: 'btz', long: ['binary', 'text', 'tag', 'zero'] };
const LINES: SafeProgram = {
  flags: 'qvz',
  values: 'nc',
  long: ['quiet', 'silent', 'verbose', 'zero-terminated'],
  longValues: ['lines', 'bytes'],
  hasCount: true,
};
const TESTS = '! = == != -eq -ne -lt -le -gt -ge -nt -ot -ef -e -f -d -s -r -w -x -L -h -n -z ]'.split(' ');
const NUMERIC = /^-(eq|ne|lt|le|gt|ge)$/;

/** Test evaluates the index of an array, and with it commands: `[ -v 'a[$(…)]' ]`. */
function testProblem(args: readonly PlainArg[]): string | undefined {
  const odd = args.find(
    ({ value, isGlob }) => isGlob || (/^[-(!]|^\)/.test(value) && !TESTS.includes(value) && !/^-\d+$/.test(value)),
  );
  const isCompared = (at: number): boolean =>
    NUMERIC.test(args[at - 1]?.value ?? '') || NUMERIC.test(args[at + 1]?.value ?? '');
  if (args.some(({ value }, at) => isCompared(at) && !/^-?\d+$/.test(value)))
    return 'a test compares what is not a number';
  return odd && `"${odd.value}" in a test is not known to only read`;
}

function dateProblem(args: readonly PlainArg[]): string | undefined {
  return args.some(
    ({ value }, at) => /^[^+-]/.test(value) && !/^(-[dr]|--date|--reference)$/.test(args[at - 1]?.value ?? ''),
  )
    ? 'date may set the clock'
    : undefined;
}

/** Of a format, all that only prints. `%n` sets a variable, `PATH` among them. */
const PRINTS = /%(?:%|[-+ #0']*(?:[1-9]\d*|\*)?(?:\.(?:\d+|\*)?)?[diouxXeEfFgGaAcsbq])/g;

function printfProblem([format]: readonly PlainArg[]): string | undefined {
  if (format === undefined) return undefined;
  const isOdd = format.isGlob || format.value.startsWith('-') || format.value.replaceAll(PRINTS, '').includes('%');
  return isOdd ? 'printf may set a variable' : undefined;
}

function sleepProblem(args: readonly PlainArg[]): string | undefined {
  const odd = args.find(({ value }) => !/^\d+(\.\d+)?[smhd]?$/.test(value));
  return odd && `${odd.value} is not a time`;
}

/** Its settings and its pager are taken from it by the environment. */
const BAT: SafeProgram = {
  flags: 'pnAPu',
  values: 'lrH',
  long: ['plain', 'number', 'show-all'],
  longValues: ['language', 'line-range', 'highlight-line', 'style', 'color', 'decorations', 'theme', 'wrap', 'tabs'],
  exact: ['--paging=never'],
  problem: ([first]) => (first?.value === 'cache' ? 'bat cache writes what bat keeps' : undefined),
};

/** Programs that only read, by their names. Git has a table of its own. */
export const SAFE_PROGRAMS: Readonly<Record<string, SafeProgram>> = {
  ls: {
    flags: 'aAlhtrRS1FdisnogpcuUXvmxCBbqQNZ',
    long: 'all almost-all directory human-readable recursive reverse size classify inode numeric-uid-gid group-directories-first no-group full-time color'.split(
      ' ',
    ),
    longValues: ['color', 'sort', 'time', 'time-style', 'format'],
    isRecursive: 'R',
  },
  cat: {
    flags: 'AbeEnstTuv',
    long: ['number', 'number-nonblank', 'show-all', 'show-ends', 'show-tabs', 'squeeze-blank', 'show-nonprinting'],
  },
  head: LINES,
  // Following a file, it reads until the time limit of the command ends it.
  tail: { ...LINES, flags: 'qvzf' },
  wc: { flags: 'lwcmL', long: ['lines', 'words', 'bytes', 'chars', 'max-line-length'] },
  pwd: { flags: 'LP', maxPaths: 0 },
  echo: { texts: 'all' },
  printf: { texts: 'all', problem: printfProblem },
  true: { texts: 'all' },
  false: { texts: 'all' },
  test: { words: TESTS, problem: testProblem },
  '[': { words: TESTS, problem: testProblem },
  stat: { flags: 'ft', values: 'c', long: ['file-system', 'terse'], longValues: ['format', 'printf'] },
  file: { flags: 'bihNr0', long: ['brief', 'mime', 'mime-type', 'mime-encoding', 'no-dereference', 'no-pad'] },
  du: {
    flags: 'abchkmsSx0',
    values: 'd',
    long: ['all', 'apparent-size', 'bytes', 'total', 'human-readable', 'si', 'summarize', 'one-file-system'],
    longValues: ['max-depth', 'block-size', 'exclude'],
    isRecursive: true,
  },
  df: {
    flags: 'ahHiklPTm',
    long: ['all', 'human-readable', 'inodes', 'local', 'portability', 'print-type', 'si', 'total'],
  },
  date: {
    flags: 'uRI',
    values: 'd',
    long: ['utc', 'universal', 'rfc-email', 'iso-8601'],
    longValues: ['date', 'iso-8601', 'rfc-3339'],
    texts: 'all',
    problem: dateProblem,
  },
  whoami: { maxPaths: 0 },
  id: { flags: 'ugGnrz', long: ['user', 'group', 'groups', 'name', 'real'], texts: 'all' },
  uname: {
    flags: 'asnrvmpio',
    long: ['all', 'kernel-name', 'kernel-release', 'machine', 'operating-system'],
    maxPaths: 0,
  },
  which: { flags: 'a', texts: 'all' },
  type: { flags: 'aftpP', texts: 'all' },
  basename: { flags: 'az', values: 's', long: ['multiple', 'zero'], longValues: ['suffix'], texts: 'all' },
  dirname: { flags: 'z', long: ['zero'], texts: 'all' },
  realpath: {
    flags: 'emLPqsz',
    long: [
      'canonicalize-existing',
      'canonicalize-missing',
      'logical',
      'physical',
      'quiet',
      'no-symlinks',
      'strip',
      'zero',
    ],
    longValues: ['relative-to', 'relative-base'],
  },
  readlink: {
    flags: 'femnqsvz',
    long: ['canonicalize', 'canonicalize-existing', 'canonicalize-missing', 'no-newline', 'quiet', 'zero'],
  },
  sort: {
    flags: 'bcCdfghiMmnRrsuVz',
    values: 'ktS',
    long: (
      'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort ' +
      'human-numeric-sort numeric-sort random-sort reverse version-sort check merge stable unique zero-terminated'
    ).split(' '),
    longValues: ['key', 'field-separator', 'sort', 'parallel', 'buffer-size', 'check'],
  },
  uniq: {
    flags: 'cdDiuz',
    values: 'fsw',
    long: ['count', 'repeated', 'all-repeated', 'group', 'ignore-case', 'unique', 'zero-terminated'],
    longValues: ['skip-fields', 'skip-chars', 'check-chars', 'group', 'all-repeated'],
    maxPaths: 1,
    optionsFirst: true,
  },
  cut: {
    flags: 'nsz',
    values: 'bcdf',
    long: ['complement', 'only-delimited', 'zero-terminated'],
    longValues: ['bytes', 'characters', 'delimiter', 'fields', 'output-delimiter'],
  },
  tr: { flags: 'cCdst', long: ['complement', 'delete', 'squeeze-repeats', 'truncate-set1'], texts: 'all' },
  nl: {
    flags: 'p',
    values: 'bdfhilnsvw',
    long: ['no-renumber'],
    longValues: ['body-numbering', 'number-format', 'number-width', 'number-separator', 'starting-line-number'],
  },
  rev: {},
  cmp: {
    flags: 'bls',
    values: 'in',
    long: ['print-bytes', 'verbose', 'quiet', 'silent'],
    longValues: ['bytes', 'ignore-initial'],
  },
  diff: {
    flags: 'abBcdeEinNpqstTuwyZ',
    values: 'CFILUW',
    long: (
      'brief unified context side-by-side ignore-case ignore-all-space ignore-blank-lines ignore-space-change text normal ' +
      'report-identical-files minimal suppress-common-lines left-column strip-trailing-cr new-file color'
    ).split(' '),
    longValues: [
      'unified',
      'context',
      'label',
      'width',
      'color',
      'tabsize',
      'ignore-matching-lines',
      'show-function-line',
    ],
    takesNoFolder: true,
  },
  sha256sum: HASH,
  md5sum: HASH,
  tree: {
    flags: 'adfipqQNsughDFnCASJXrtUcv',
    // A value is always a further word, and the letters behind these are options: `-Io x y` writes y.
    wordValues: ['-L', '-I', '-P'],
    long: ['dirsfirst', 'noreport', 'prune', 'gitignore', 'du', 'si', 'inodes', 'device', 'matchdirs', 'ignore-case'],
    longValues: ['filelimit', 'charset', 'timefmt', 'sort'],
    isRecursive: true,
  },
  base64: { flags: 'd', values: 'w', long: ['decode'], longValues: ['wrap'] },
  tac: { flags: 'br', values: 's', long: ['before', 'regex'], longValues: ['separator'] },
  numfmt: {
    flags: 'z',
    values: 'd',
    long: ['grouping', 'header'],
    longValues: 'from to from-unit to-unit suffix padding field delimiter format invalid round header'.split(' '),
    texts: 'all',
  },
  column: { flags: 'tx', values: 'so', long: ['table', 'fillrows'], longValues: ['separator', 'output-separator'] },
  xxd: {
    words: ['-a', '-b', '-e', '-i', '-p', '-u'],
    wordValues: ['-c', '-g', '-l', '-o', '-s'],
    maxPaths: 1,
    optionsFirst: true,
  },
  // `-l` starts `ls`, `-x` and `-X` start anything.
  bat: BAT,
  batcat: BAT,
  sleep: { texts: 'all', problem: sleepProblem },
  ...SCRIPT_PROGRAMS,
  ...SEARCH_PROGRAMS,
};

import type { PlainArg } from './parse-command.js';
import type { SafeProgram } from './safe-programs.js';

const GREP: SafeProgram = {
  flags: 'EFGPivwxclLnHhoqsrRazy',
  values: 'emABC',
  long: (
    'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case no-ignore-case invert-match word-regexp line-regexp ' +
    'count files-with-matches files-without-match line-number with-filename no-filename only-matching quiet silent ' +
    'no-messages recursive text null null-data color colour initial-tab byte-offset'
  ).split(' '),
  longValues:
    'regexp max-count after-context before-context context include exclude exclude-dir color colour label binary-files'.split(
      ' ',
    ),
  hasCount: true,
  texts: 1,
  insteadOfTexts: ['-e', '--regexp'],
  isRecursive: 'r',
  followsLinks: 'R',
};
const FD: SafeProgram = {
  flags: 'HIuasgFip01q',
  values: 'etdESj',
  long: 'hidden no-ignore no-ignore-vcs unrestricted absolute-path case-sensitive ignore-case glob fixed-strings full-path print0 quiet'.split(
    ' ',
  ),
  longValues:
    'extension type max-depth min-depth exact-depth exclude size changed-within changed-before color max-results threads'.split(
      ' ',
    ),
  texts: 1,
  isRecursive: true,
};
/** It looks for its options also behind `--`. */
function findProblem(args: readonly PlainArg[]): string | undefined {
  return args.some(({ value }) => value === '--') ? 'find takes what follows -- for an action' : undefined;
}

/** Programs that look for files, or for texts in them. */
export const SEARCH_PROGRAMS: Readonly<Record<string, SafeProgram>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    flags: 'iSsvwxclnNHIoFUuPqap0.',
    values: 'egtTABCmMrdj',
    long: (
      'ignore-case smart-case case-sensitive invert-match word-regexp line-regexp count count-matches files files-with-matches ' +
      'files-without-match line-number no-line-number with-filename no-filename only-matching fixed-strings multiline hidden ' +
      'no-ignore no-ignore-vcs no-heading heading vimgrep json pcre2 quiet text trim type-list column stats no-config null ' +
      'no-messages pretty sort-files one-file-system multiline-dotall unrestricted passthru no-follow'
    ).split(' '),
    longValues: (
      'regexp glob iglob type type-not after-context before-context context max-count max-columns replace max-depth sort ' +
      'sortr color colors threads max-filesize encoding engine context-separator'
    ).split(' '),
    texts: 1,
    insteadOfTexts: ['-e', '--regexp', '--files', '--type-list'],
    isRecursive: true,
  },
  find: {
    words: (
      '-empty -print -print0 -prune -not ! -o -or -a -and ( ) -xdev -mount -depth -quit -readable -writable -executable -ls ' +
      '-true -false -nouser -nogroup -noleaf -daystart -P ,'
    ).split(' '),
    wordValues: (
      '-name -iname -path -ipath -wholename -iwholename -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime ' +
      '-cmin -regex -iregex -regextype -perm -user -group -uid -gid -links -inum -printf -lname -ilname -used -fstype'
    ).split(' '),
    isRecursive: true,
    problem: findProblem,
  },
  ag: { flags: 'ilwQcLvs', values: 'GABCm', texts: 1, isRecursive: true },
  fd: FD,
  fdfind: FD,
};

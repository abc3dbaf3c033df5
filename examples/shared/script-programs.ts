import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { isHarmlessAwkProgram } from './awk-program.js';
import type { PlainArg } from './parse-command.js';
import type { SafeProgram } from './safe-programs.js';
import { isHarmlessSedScript } from './sed-script.js';
import type { NamedOption } from './sort-args.js';

function sedProblem(args: readonly PlainArg[], [script]: readonly string[]): string | undefined {
  // A version of sed that reads a section otherwise would write to a file there.
  const mayWrite = args.some(({ value }) => /w[ \t]/.test(value));
  return script !== undefined && !mayWrite && isHarmlessSedScript(script)
    ? undefined
    : 'the script of sed is not known to only print, delete and change lines';
}

/** The variables that `-v` may set: those of one's own, and the separators. */
const AWK_VARIABLE = /^([a-z]\w*|O?[FR]S)=/;

function awkProblem(
  args: readonly PlainArg[],
  [program = '']: readonly string[],
  named: readonly NamedOption[] = [],
): string | undefined {
  const odd = named.find(({ name, value = '' }) => name === '-v' && !AWK_VARIABLE.test(value));
  if (odd !== undefined) return `awk is given the variable ${odd.value}`;
  // GNU awk takes it for a connection.
  if (args.some(({ value }) => value.startsWith('/inet'))) return 'awk may connect to another machine';
  return isHarmlessAwkProgram(program) ? undefined : 'the program of awk is not known to only compute and print';
}

function jqProblem(_args: readonly PlainArg[], [program = '']: readonly string[]): string | undefined {
  return /\b(import|include|env|ENV|input_filename|modulemeta|get_search_list)\b/.test(program)
    ? 'the program of jq reads more than its input'
    : undefined;
}

const YQ_PATH = /^\.(?:[A-Za-z_][\w-]*)?(?:\.[A-Za-z_][\w-]*|\[\d*\]|\["[\w .-]*"\])*(?: *\| *(?:keys|length))?$/;

/** There are two programs of this name. Both read a path of names in the same way. */
function yqProblem(args: readonly PlainArg[]): string | undefined {
  const [expression] = args.filter(({ value }) => !value.startsWith('-'));
  return expression !== undefined && YQ_PATH.test(expression.value)
    ? undefined
    : 'the expression of yq is more than a path of names';
}

/** What it reads becomes arguments, so that only a program will do that prints any argument. */
function xargsProblem(args: readonly PlainArg[]): string | undefined {
  const words = args.map(({ value }) => value);
  let at = 0;
  while (/^(-0|-r|-n\d*|--null|--no-run-if-empty)$/.test(words[at] ?? '')) {
    const takesNext = words[at] === '-n';
    if (takesNext && !/^\d+$/.test(words[at + 1] ?? '')) return 'xargs may start any program';
    at += takesNext ? 2 : 1;
  }
  const program = words[at] ?? 'echo';
  return /^(echo|basename|dirname)$/.test(program) ? undefined : `xargs may start ${program} with any argument`;
}

/**
 * Its version, if the first program of that name is the program itself. A script, or a link to another name, is the switch of
 * a version manager, and may start what a file of the workspace names.
 */
function nodeProblem(args: readonly PlainArg[]): string | undefined {
  const isVersion = args.length === 1 && /^(-v|--version)$/.test(args[0]?.value ?? '');
  if (!isVersion) return 'node may run any code';
  const folder = (process.env['PATH'] ?? '').split(':').find((each) => existsSync(join(each, 'node')));
  if (folder === undefined || !isAbsolute(folder)) return 'node may be any program';
  return isBinary(join(folder, 'node')) ? undefined : 'node may be any version that the workspace names';
}

function isBinary(path: string): boolean {
  const real = realpathSync(path);
  const start = Buffer.alloc(2);
  const file = openSync(real, 'r');
  try {
    readSync(file, start, 0, 2, 0);
  } finally {
    closeSync(file);
  }
  return basename(real) === basename(path) && start.toString('latin1') !== '#!';
}

const AWK: SafeProgram = { values: 'Fv', texts: 1, optionsFirst: true, problem: awkProblem };

/** Programs that take a text which says what they do, or start others. */
export const SCRIPT_PROGRAMS: Readonly<Record<string, SafeProgram>> = {
  sed: {
    flags: 'nErsuz',
    long: ['quiet', 'silent', 'regexp-extended', 'separate', 'unbuffered', 'null-data'],
    texts: 1,
    problem: sedProblem,
  },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  jq: {
    flags: 'rcenSsjaMCR',
    long: (
      'raw-output compact-output exit-status null-input sort-keys slurp join-output ascii-output monochrome-output ' +
      'color-output raw-input tab seq stream unbuffered'
    ).split(' '),
    texts: 1,
    problem: jqProblem,
  },
  // One of the two reads a file that is called like the expression, so that this is looked at as a path too.
  yq: { flags: 'r', problem: yqProblem },
  node: { texts: 'all', problem: nodeProblem },
  xargs: { texts: 'all', problem: xargsProblem },
};

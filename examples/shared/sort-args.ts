import type { PlainArg } from './parse-command.js';
import type { SafeProgram } from './safe-programs.js';

/** Arguments sorted by what they are. */
export interface SortedArgs {
  /** As they are written, without values. */
  readonly options: readonly string[];
  readonly texts: readonly string[];
  readonly paths: readonly PlainArg[];
  /** What stands among the paths may be a value or a text, so that none of them is one. */
  readonly isUncertain?: boolean;
  readonly problem?: string | undefined;
}

/** Tells options, texts and paths apart by what the table says of the program. */
export function sortArgs(args: readonly PlainArg[], program: SafeProgram): SortedArgs {
  const options: string[] = [];
  const rest: PlainArg[] = [];
  let areOptionsOver = false;
  let isUncertain = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    const { value } = arg;
    if (!areOptionsOver && value === '--') {
      areOptionsOver = true;
      continue;
    }
    // The words of `test` and `find` need no dash.
    const isOption =
      !areOptionsOver && ((value.startsWith('-') && value !== '-') || program.words?.includes(value) === true);
    if (!isOption) {
      rest.push(arg);
      continue;
    }
    const taken = optionLength(value, program);
    if (taken === undefined)
      return { options, texts: [], paths: [], problem: `the option ${value} is not known to only read` };
    options.push(value);
    // The value of a long option may be the next word in one version of a program, and a path in another.
    const next = taken === 'next long' ? args[at + 1] : undefined;
    // Git takes some values only behind `=`, and then the next word is an option again.
    if (next?.value.startsWith('-') === true)
      return { options, texts: [], paths: [], problem: `${next.value} may be the value of ${value} or an option` };
    isUncertain ||= next !== undefined;
    if (next !== undefined) rest.push(next);
    if (taken !== 1) at += 1;
  }
  const isReplaced = options.some((option) => program.insteadOfTexts?.some((name) => isSame(option, name)) === true);
  const count = program.texts === 'all' ? rest.length : isReplaced ? 0 : (program.texts ?? 0);
  const texts = rest.slice(0, count);
  const glob = program.texts === 'all' ? undefined : texts.find(({ isGlob }) => isGlob);
  const problem = glob && `${glob.value} is not a path`;
  return {
    options,
    texts: texts.map(({ value }) => value),
    paths: rest.slice(count),
    isUncertain: isUncertain || isReplaced,
    problem,
  };
}

/** How many words an option takes; `undefined` if it is not one that only reads. */
function optionLength(option: string, program: SafeProgram): 1 | 2 | 'next long' | undefined {
  const { flags = '', values = '', joined = '', long = [], longValues = [] } = program;
  const { words = [], wordValues = [], exact = [] } = program;
  if (words.includes(option) || exact.includes(option)) return 1;
  if (wordValues.includes(option)) return 2;
  if (program.words !== undefined) return undefined;
  if (program.hasCount === true && /^-\d+$/.test(option)) return 1;
  if (option.startsWith('--')) {
    const [name = '', value] = option.slice(2).split(/=(.*)/s);
    if (value !== undefined) return longValues.includes(name) ? 1 : undefined;
    return long.includes(name) ? 1 : longValues.includes(name) ? 'next long' : undefined;
  }
  for (const [at, letter] of [...option.slice(1)].entries()) {
    if (joined.includes(letter)) return 1;
    if (values.includes(letter)) return at === option.length - 2 ? 2 : 1;
    if (!flags.includes(letter)) return undefined;
  }
  return 1;
}

/** `-ne` and `--regexp=x` say what `-e` and `--regexp` say. */
function isSame(option: string, name: string): boolean {
  if (name.startsWith('--')) return option === name || option.startsWith(`${name}=`);
  return !option.startsWith('--') && option.includes(name.slice(1));
}

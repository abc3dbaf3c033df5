import type { PlainArg } from './parse-command.js';
import type { SafeProgram } from './safe-programs.js';

/** An option by itself, also if it was written in one word with others or with its value. */
export interface NamedOption {
  readonly name: string;
  readonly value?: string | undefined;
}

/** Arguments sorted by what they are. */
export interface SortedArgs {
  /** As they are written, without values. */
  readonly options: readonly string[];
  readonly named: readonly NamedOption[];
  readonly texts: readonly string[];
  readonly paths: readonly PlainArg[];
  /** What stands among the paths may be a value or a text, so that none of them is one. */
  readonly isUncertain?: boolean;
  readonly problem?: string | undefined;
}

/** Tells options, texts and paths apart by what the table says of the program. */
export function sortArgs(args: readonly PlainArg[], program: SafeProgram): SortedArgs {
  const options: string[] = [];
  const named: NamedOption[] = [];
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
    const read = readOption(value, args[at + 1]?.value, program);
    if (read === undefined)
      return { options, named, texts: [], paths: [], problem: `the option ${value} is not known to only read` };
    const { taken } = read;
    if (program.optionsFirst === true && rest.length > 0)
      return { options, named, texts: [], paths: [], problem: `${value} behind an argument may be another one` };
    options.push(value);
    named.push(...read.named);
    // The value of a long option may be the next word in one version of a program, and a path in another.
    const next = taken === 'next long' ? args[at + 1] : undefined;
    // Git takes some values only behind `=`, and then the next word is an option again.
    if (next?.value.startsWith('-') === true)
      return {
        options,
        named,
        texts: [],
        paths: [],
        problem: `${next.value} may be the value of ${value} or an option`,
      };
    // Behind the first argument, programs of some systems read no more options: the value would be an argument too.
    const isLate = taken === 2 && rest.length > 0 && program.words === undefined;
    const late = isLate ? args[at + 1] : next;
    isUncertain ||= late !== undefined;
    if (late !== undefined) rest.push(late);
    if (taken !== 1) at += 1;
  }
  const isReplaced = options.some((option) => program.insteadOfTexts?.some((name) => isSame(option, name)) === true);
  const count = program.texts === 'all' ? rest.length : isReplaced ? 0 : (program.texts ?? 0);
  const texts = rest.slice(0, count);
  const glob = program.texts === 'all' ? undefined : texts.find(({ isGlob }) => isGlob);
  const problem = glob && `${glob.value} is not a path`;
  return {
    options,
    named,
    texts: texts.map(({ value }) => value),
    paths: rest.slice(count),
    isUncertain: isUncertain || isReplaced,
    problem,
  };
}

/** The options in a word, and how many words they take with their values; `undefined` if one of them is not known. */
function readOption(
  word: string,
  next: string | undefined,
  program: SafeProgram,
): { readonly taken: 1 | 2 | 'next long'; readonly named: readonly NamedOption[] } | undefined {
  const { flags = '', values = '', joined = '', long = [], longValues = [] } = program;
  const { words = [], wordValues = [], exact = [] } = program;
  if (words.includes(word) || exact.includes(word)) return { taken: 1, named: [{ name: word }] };
  if (wordValues.includes(word)) return { taken: 2, named: [{ name: word, value: next ?? '' }] };
  if (program.words !== undefined) return undefined;
  if (program.hasCount === true && /^-\d+$/.test(word)) return { taken: 1, named: [{ name: word }] };
  if (word.startsWith('--')) {
    const [name = '', value] = word.slice(2).split(/=(.*)/s);
    const one = [{ name: `--${name}`, value }];
    if (value !== undefined) return longValues.includes(name) ? { taken: 1, named: one } : undefined;
    if (long.includes(name)) return { taken: 1, named: one };
    return longValues.includes(name) ? { taken: 'next long', named: [{ name: `--${name}`, value: next }] } : undefined;
  }
  const named: NamedOption[] = [];
  for (const [at, letter] of [...word.slice(1)].entries()) {
    const name = `-${letter}`;
    const behind = word.slice(at + 2);
    if (joined.includes(letter)) return { taken: 1, named: [...named, { name, value: behind }] };
    if (values.includes(letter)) {
      const isNext = behind === '';
      return { taken: isNext ? 2 : 1, named: [...named, { name, value: isNext ? (next ?? '') : behind }] };
    }
    if (!flags.includes(letter)) return undefined;
    named.push({ name });
  }
  return { taken: 1, named };
}

/** `-ne` and `--regexp=x` say what `-e` and `--regexp` say. */
function isSame(option: string, name: string): boolean {
  if (name.startsWith('--')) return option === name || option.startsWith(`${name}=`);
  return !option.startsWith('--') && option.includes(name.slice(1));
}

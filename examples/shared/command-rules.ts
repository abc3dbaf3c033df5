import type { ClassifiedCommand, OpenCommand } from './command-policy.js';
import { ANY_OPTION, SHAPES, type ShapeProgram } from './command-shapes.js';
import type { CommandRedirect, PlainArg } from './parse-command.js';
import type { PathGuard } from './path-guard.js';
import { plainWord } from './plain-words.js';
import { type NamedOption, sortArgs } from './sort-args.js';
import { trimLetters } from './trim-end.js';

// What a rule stands for, in its text: the value of an option, files of the workspace, names.
const TEXT = '<text>';
const PATHS = '<paths>';
const NAMES = '<names>';
const EXACTLY = 'exactly ';
/** As older versions wrote it: any options and arguments. Of a few programs it is still a rule. */
const OF_OLD = /^(\S+)(?: \S+)? \*$/;

export interface RulePlace {
  readonly guard: PathGuard;
  /** Whether the command starts where rules are given: the same text is another command in another folder. */
  readonly isHome: boolean;
}

/** The rules of a command that is asked about. */
export interface CommandRules {
  /** What "always" allows: the shape that all of its commands have which do more than read, or this very text. */
  readonly offered: string | undefined;
  /** The first of the given rules that lets it run, if they do. */
  readonly coveredBy: (rules: readonly string[]) => string | undefined;
}

/** What was, or may be, allowed for longer than once. Nothing stands for what writes by a redirection, or was not read to its end. */
export function rulesOf(source: string, classified: ClassifiedCommand, place: RulePlace): CommandRules {
  if (!isCoverable(classified)) return { offered: undefined, coveredBy: () => undefined };
  const shapes = classified.open.map((open) => shapeOf(open, place.guard));
  const exact = place.isHome ? EXACTLY + withoutBlanks(source) : undefined;
  const [first] = shapes;
  const isOne = first !== undefined && shapes.every((shape) => shape === first);
  return {
    offered: isOne ? first : exact,
    coveredBy: (rules) => {
      if (exact !== undefined && rules.includes(exact)) return exact;
      return shapes.every((shape) => shape !== undefined && rules.includes(shape)) ? first : undefined;
    },
  };
}

/** Why a text is no rule for commands; `undefined` if it is one, in the only form that counts. */
export function ruleProblem(text: string): string | undefined {
  if (text.startsWith(EXACTLY)) return undefined;
  const [, program = ''] = OF_OLD.exec(text) ?? [];
  if (program !== '') {
    return ANY_OPTION.has(program) && text === `${program} *`
      ? undefined
      : 'it is of an older form, which allowed any option. A rule names the options now, as the question shows it';
  }
  const canonical = shapeOfText(text);
  if (canonical === text) return undefined;
  return canonical === undefined
    ? 'it names a program, or an option, that has no rule but "exactly"'
    : `it is written as "${canonical}"`;
}

/** Whether the text is a rule that an older version wrote, and that is none any more. */
export function isOldRule(text: string): boolean {
  return OF_OLD.test(text) && ruleProblem(text) !== undefined;
}

/** The program, its options and its named arguments. Two commands of one shape differ only in what the text marks as free. */
function shapeOf({ command, folders }: OpenCommand, guard: PathGuard): string | undefined {
  const { name, args, hasAssignment } = command;
  if (hasAssignment || args.some(({ isGlob }) => isGlob)) return undefined;
  const isInside = (path: string): boolean =>
    folders.every((cwd) => {
      const { isInside: isWithinRoots, holdsClosed } = guard.resolve(path, cwd);
      return isWithinRoots && !holdsClosed;
    });
  if (ANY_OPTION.has(name)) return args.every(({ value }) => isAnyOption(value, isInside)) ? `${name} *` : undefined;
  const isAtRoot = folders.every((cwd) => guard.roots.includes(guard.resolve('.', cwd).path));
  const found = programOf(name, args);
  if (found === undefined || !isAtRoot) return undefined;
  return shapeText(found, (path) => isPlainPath(path) && isInside(path));
}

interface FoundProgram {
  readonly head: string;
  readonly program: ShapeProgram;
  readonly args: readonly PlainArg[];
}

function programOf(name: string, args: readonly PlainArg[]): FoundProgram | undefined {
  const long = `${name} ${args[0]?.value ?? ''}`;
  const head = [long, name].find((key) => Object.hasOwn(SHAPES, key));
  const program = head === undefined ? undefined : SHAPES[head];
  if (head === undefined || program === undefined) return undefined;
  return { head, program, args: head === long ? args.slice(1) : args };
}

function shapeText({ head, program, args }: FoundProgram, isFreePath: (path: string) => boolean): string | undefined {
  const { named, paths, problem, isUncertain } = sortArgs(args, program);
  if (problem !== undefined || isUncertain === true) return undefined;
  const rest = paths.map(({ value }) => value);
  const isFree = { paths: isFreePath, names: (value: string) => /^\w[\w:.-]*$/.test(value) };
  const { free } = program;
  const isAllFree = free !== undefined && rest.every(isFree[free]);
  const ending = isAllFree ? [free === 'paths' ? PATHS : NAMES] : namedRest(rest);
  const options = named.map((option) => optionText(option, program)).toSorted();
  return [head, ...new Set(options), ...ending].join(' ');
}

function namedRest(rest: readonly string[]): string[] {
  const quoted = rest.map(quote);
  return rest.some((value) => value.startsWith('-')) ? ['--', ...quoted] : quoted;
}

function optionText({ name, value }: NamedOption, { freeValues = [] }: ShapeProgram): string {
  if (value === undefined) return name;
  const shown = freeValues.includes(name) ? TEXT : quote(value);
  return name.startsWith('--') ? `${name}=${shown}` : `${name} ${shown}`;
}

/** With quotes unless it is one plain word. */
function quote(value: string): string {
  return /^[\w./:=@%+,-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Of a rule as a person writes it, the one form that counts. */
function shapeOfText(text: string): string | undefined {
  const words = text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const ending = words.at(-1);
  const isFree = ending === PATHS || ending === NAMES;
  const args = (isFree ? words.slice(1, -1) : words.slice(1)).map((word) => ({ value: unquoted(word), isGlob: false }));
  const [name = ''] = words;
  const found = plainWord(name)?.value === name ? programOf(name, args) : undefined;
  // Without further arguments, all of them are free; those that are named here may not be so.
  return found && shapeText(found, () => false);
}

function unquoted(word: string): string {
  if (!word.startsWith('"')) return word;
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
}

/** Programs read some of these otherwise: options, lists of arguments, parts of an address, variables. */
function isPlainPath(value: string): boolean {
  return /^[\w./][\w./:@+,-]*$/u.test(value) && !value.includes('://');
}

function isAnyOption(value: string, isInside: (path: string) => boolean): boolean {
  if (!value.startsWith('-')) return isInside(value);
  return !value.includes('/') && !value.includes('..');
}

function isCoverable({ class: kind, isUnread, parsed }: ClassifiedCommand): boolean {
  const redirects = [...parsed.redirects, ...parsed.commands.flatMap((command) => command.redirects)];
  return (
    kind === 'ask' && !isUnread && parsed.commands.length > 0 && !parsed.hasSubstitution && redirects.every(isHarmless)
  );
}

function isHarmless({ operator, target }: CommandRedirect): boolean {
  return (operator === '>' && target.text === '/dev/null') || (operator === '>&' && target.text === '1');
}

/** What a shell passes over around a command: not the blanks of other scripts, and none that is escaped. */
function withoutBlanks(command: string): string {
  const trimmed = trimLetters(command.replace(/^[ \t\n]+/, ''), ' \t\n');
  return trimmed.endsWith('\\') ? command : trimmed;
}

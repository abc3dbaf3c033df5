import { type Command, forEachChild, parse, type ParsedScript, type SyntaxNode, type Word } from 'unbash';
import { type PlainCommand, plainCommands } from './plain-commands.js';

export type { PlainArg, PlainCommand } from './plain-commands.js';

/** A word of a command. */
export interface CommandWord {
  readonly text: string;
  /** Without quotes. What is expanded when the command runs stands in it as it is written. */
  readonly value: string;
  /** Nothing in it is expanded, so `value` is what the program gets. */
  readonly isLiteral: boolean;
}

export interface SimpleCommand {
  /** Absent in a command that only assigns or redirects. */
  readonly name: CommandWord | undefined;
  readonly args: readonly CommandWord[];
  readonly assignments: readonly CommandWord[];
  readonly redirects: readonly CommandRedirect[];
}

export interface CommandRedirect {
  readonly operator: string;
  /** Of a heredoc, its text. */
  readonly target: CommandWord;
}

export interface ParsedCommand {
  /** Every simple command at any depth. */
  readonly commands: readonly SimpleCommand[];
  /** Pipelines of any depth: for each stage, all commands in it. */
  readonly pipelines: readonly (readonly (readonly SimpleCommand[])[])[];
  /** Redirections of groups and loops; those of simple commands stand there. */
  readonly redirects: readonly CommandRedirect[];
  /** Runs a command to make a word of it. */
  readonly hasSubstitution: boolean;
  /** A function calls itself in a pipeline. */
  readonly hasForkBomb: boolean;
  /** Why the text could not be read to its end. */
  readonly problem?: string | undefined;
  /** Only plain commands in lists, pipelines and groups; otherwise why not. */
  readonly plain: readonly PlainCommand[] | string;
}

const MAX_LENGTH = 50_000;
/** Each of them makes the policy look into folders. */
const MAX_GLOBS = 50;
const EMPTY = { commands: [], pipelines: [], redirects: [], hasSubstitution: false, hasForkBomb: false };

/** Reads the text of a shell command into the simple commands that it would run. Never throws. */
export function parseCommand(source: string): ParsedCommand {
  const problem = source.length > MAX_LENGTH ? `it is longer than ${MAX_LENGTH} characters` : unreadable(source);
  if (problem !== undefined && source.length > MAX_LENGTH) return { ...EMPTY, problem, plain: problem };
  try {
    const joined = joinExpansions(source);
    const script = parse(source);
    // In comments, quotes and heredocs bash does not join lines, so the commands of both readings count.
    const found = collect(joined === source ? [script] : [script, parse(joined)]);
    const read = problem ?? (joined === source ? found.problem : 'a line ends inside an expansion');
    return { ...found, problem: read, plain: read ?? withFewGlobs(plainCommands(script, source)) };
  } catch (error) {
    const message = `it cannot be parsed (${error instanceof Error ? error.message : String(error)})`;
    return { ...EMPTY, problem: message, plain: message };
  }
}

function withFewGlobs(plain: readonly PlainCommand[] | string): readonly PlainCommand[] | string {
  if (typeof plain === 'string') return plain;
  const count = plain.reduce((sum, { args }) => sum + args.filter(({ isGlob }) => isGlob).length, 0);
  return count > MAX_GLOBS ? `it holds more than ${MAX_GLOBS} patterns of files` : plain;
}

/** Bash joins lines before it reads what `$` expands; the parser takes `$` and the next line for plain text. */
function joinExpansions(source: string): string {
  return source.replaceAll(/\\[^\n]|\$(?:[\w{(!#]|\\\n)+/g, (piece) => piece.replaceAll('\\\n', ''));
}

/** Signs that a terminal or an editor does not show as what they are, and one form that the parser reads otherwise than bash. */
function unreadable(source: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- these are looked for
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/u.test(source))
    return 'it holds control characters or characters that are not shown';
  // Bash ends the redirection behind `-`: in `2>&-rm x` it runs `rm`.
  return /[<>]&-[^\s;|&(){}<>]/.test(source.replaceAll('\\\n', ''))
    ? 'a word touches a redirection that closes an output'
    : undefined;
}

const SUBSTITUTIONS: readonly string[] = ['CommandExpansion', 'ProcessSubstitution', 'ArithmeticCommandExpansion'];

function collect(scripts: readonly ParsedScript[]): Omit<ParsedCommand, 'plain'> {
  const commands: SimpleCommand[] = [];
  const pipelines: SimpleCommand[][][] = [];
  const redirects: CommandRedirect[] = [];
  let hasForkBomb = false;
  let hasSubstitution = false;
  let problem: string | undefined;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Script') problem ??= node.errors?.[0]?.message;
    if (node.type === 'Command') commands.push(simpleCommand(node));
    if (node.type === 'Pipeline') pipelines.push(node.commands.map((stage) => commandsIn(stage)));
    if (node.type === 'Redirected') redirects.push(...node.redirects.map(redirectOf));
    if (node.type === 'Function') hasForkBomb ||= pipesIntoItself(node.body, node.name.value);
    hasSubstitution ||= SUBSTITUTIONS.includes(node.type);
    forEachChild(node, visit);
  };
  scripts.forEach(visit);
  return { hasSubstitution, commands, pipelines, redirects, hasForkBomb, problem };
}

function commandsIn(node: SyntaxNode): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'Command') found.push(simpleCommand(child));
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}

function pipesIntoItself(body: SyntaxNode, name: string): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Pipeline' && node.commands.length > 1) {
      found ||= commandsIn(node).some((command) => command.name?.value === name);
    }
    if (!found) forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function simpleCommand(command: Command): SimpleCommand {
  const assignments = command.prefix.filter((item) => item.type === 'Assignment');
  return {
    name: command.name && wordOf(command.name),
    args: command.args.map((arg) => (arg.type === 'Word' ? wordOf(arg) : assignmentOf(arg.text))),
    assignments: assignments.map((item) => assignmentOf(item.text)),
    redirects: command.redirects.map(redirectOf),
  };
}

/** What is assigned may be expanded, so it is never taken to be known. */
function assignmentOf(text: string): CommandWord {
  return { text, value: text, isLiteral: false };
}

function redirectOf(redirect: Command['redirects'][number]): CommandRedirect {
  if (redirect.type === 'HereDoc') {
    const { text } = redirect.body;
    return {
      operator: redirect.operator,
      target: { text, value: text, isLiteral: redirect.delimiter?.quoted === true },
    };
  }
  const { operator, target } = redirect;
  return { operator, target: target === undefined ? { text: '', value: '', isLiteral: false } : wordOf(target) };
}

function wordOf(word: Word): CommandWord {
  return { text: word.text, value: word.value, isLiteral: !word.text.startsWith('~') && isLiteral(word) };
}

const LITERAL_PARTS = ['Literal', 'SingleQuoted', 'AnsiCQuoted'];

function isLiteral(word: Word): boolean {
  return (word.parts ?? []).every((part) =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString'
      ? part.parts.every((child) => child.type === 'Literal')
      : LITERAL_PARTS.includes(part.type),
  );
}

import { isInterpreter, startsOthers } from 'responses-loop-example-shared/command-harm.js';
import type { ClassifiedCommand } from 'responses-loop-example-shared/command-policy.js';
import type { CommandRedirect, PlainCommand } from 'responses-loop-example-shared/parse-command.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { trimLetters } from 'responses-loop-example-shared/trim-end.js';
import type { Rule } from './types.js';

/** Programs that do something else by each of their subcommands. */
const WITH_SUBCOMMANDS = ['git', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'docker', 'kubectl', 'pip', 'make'];
const MCP_TEXT = /^mcp: ([^/\p{Cc}]+)\/(\P{Cc}+)$/u;
const PROGRAM = /^[A-Za-z_][\w.+-]*$/;
const SUBCOMMAND = /^[A-Za-z][\w.:-]*$/;
/** Of the shell itself: behind them paths, programs or variables of the following commands mean something else. */
const STEERING = new Set(
  (
    'cd pushd popd dirs export declare typeset readonly local let set shopt unset alias unalias hash enable read mapfile ' +
    'readarray getopts printf test bind complete compgen compopt umask ulimit wait history fc return exit logout shift ' +
    'break continue suspend disown fg bg jobs caller times'
  ).split(' '),
);
/** Take a program on the command line, whatever their options. */
const TEXT_PROGRAMS = /^[gmn]?awk/;
/** Another file would be read than one by that name. */
const NO_SCRIPT = /^(-|\/(dev|proc)\/.*)$/;
/** Hand an interpreter a program on the command line, or more than the script that it runs. */
const INLINE_CODE = /^(-[a-zA-Z]*[cepPrMIm]|--(eval|print|require|import|loader|experimental-loader|exec|command)\b)/;

/** As `/permissions` shows it, and as `--allow` and the file of permissions take it. */
export function printRule(rule: Rule): string {
  switch (rule.kind) {
    case 'program':
      return `bash: ${[rule.program, ...(rule.subcommand === undefined ? [] : [rule.subcommand]), '*'].join(' ')}`;
    case 'exactly':
      return `bash: exactly ${needsQuotes(rule.command) ? JSON.stringify(rule.command) : rule.command}`;
    case 'write':
      return 'write: in workspace';
    case 'mcp':
      return mcpText(rule);
  }
}

/** @throws SettingsError that says which forms there are. */
export function parseRule(text: string): Rule {
  const trimmed = text.trim();
  const [, exact] = /^bash: exactly (.+)$/s.exec(trimmed) ?? [];
  if (exact !== undefined) return { kind: 'exactly', command: exact.startsWith('"') ? unquoted(exact) : exact };
  const [, program, subcommand] = /^bash: (\S+)(?: (\S+))? \*$/.exec(trimmed) ?? [];
  if (program !== undefined && isProgramRule(program, subcommand)) return { kind: 'program', program, subcommand };
  if (trimmed === 'write: in workspace') return { kind: 'write' };
  const [, server, tool] = MCP_TEXT.exec(trimmed) ?? [];
  if (server !== undefined && tool !== undefined) return { kind: 'mcp', server, tool };
  throw new SettingsError(
    `"${text}" is no rule. Rules are "bash: PROGRAM *", for ${WITH_SUBCOMMANDS.join(', ')} "bash: PROGRAM SUBCOMMAND *", ` +
      '"bash: exactly COMMAND", "write: in workspace" and "mcp: SERVER/TOOL". Programs that start others, and commands that change how the shell goes on, have no rule but "exactly".',
  );
}

/** A rule for a tool of an MCP server; `undefined` where its text would stand for another one, or could not be read. */
export function mcpRule(server: string, tool: string): Rule | undefined {
  const rule = { kind: 'mcp', server, tool } as const;
  const [, ...read] = MCP_TEXT.exec(mcpText(rule).trim()) ?? [];
  return read[0] === server && read[1] === tool ? rule : undefined;
}

function mcpText({ server, tool }: Extract<Rule, { kind: 'mcp' }>): string {
  return `mcp: ${server}/${tool}`;
}

/** What "for this session" would allow: the one program that is not safe by itself, or this very command. */
export function ruleOf(
  command: string,
  classified: ClassifiedCommand,
  isSafe: (command: PlainCommand) => boolean,
): Rule | undefined {
  if (!isCoverable(classified)) return undefined;
  const open = (classified.plain ?? []).filter((each) => !isSafe(each)).map(programRule);
  const [first] = open;
  const isOne = first !== undefined && open.every((rule) => rule !== undefined && printRule(rule) === printRule(first));
  return isOne ? first : { kind: 'exactly', command: withoutBlanks(command) };
}

/** The rule, of those that were taken, that lets the command run: each of its commands is safe or covered. */
export function coveringRule(
  command: string,
  classified: ClassifiedCommand,
  { rules, isSafe }: { readonly rules: readonly Rule[]; readonly isSafe: (command: PlainCommand) => boolean },
): Rule | undefined {
  if (!isCoverable(classified)) return undefined;
  const exact = rules.find((rule) => rule.kind === 'exactly' && rule.command === withoutBlanks(command));
  if (exact !== undefined) return exact;
  const open = (classified.plain ?? []).filter((each) => !isSafe(each));
  const found = open.map((each) => rules.find((rule) => covers(rule, each)));
  return found.every((rule) => rule !== undefined) ? found[0] : undefined;
}

function covers(rule: Rule, command: PlainCommand): boolean {
  const own = programRule(command);
  return own !== undefined && rule.kind === 'program' && printRule(rule) === printRule(own);
}

function programRule({ name, args }: PlainCommand): Rule | undefined {
  const first = args[0]?.value;
  const subcommand = WITH_SUBCOMMANDS.includes(name) ? (first ?? '') : undefined;
  if (!isProgramRule(name, subcommand) || args[0]?.isGlob === true) return undefined;
  if (TEXT_PROGRAMS.test(name) || (isInterpreter(name) && !isScriptOnly(args))) return undefined;
  return { kind: 'program', program: name, subcommand };
}

/** Not from the command line, and not from its input, which another command may write. */
function isScriptOnly(args: PlainCommand['args']): boolean {
  const isOdd = args.some(({ value, isGlob }) => isGlob || INLINE_CODE.test(value) || NO_SCRIPT.test(value));
  return !isOdd && args.some(({ value }) => value === '--test' || !value.startsWith('-'));
}

function isProgramRule(program: string, subcommand: string | undefined): boolean {
  if (!PROGRAM.test(program) || startsOthers(program) || STEERING.has(program)) return false;
  return WITH_SUBCOMMANDS.includes(program)
    ? subcommand !== undefined && SUBCOMMAND.test(subcommand)
    : subcommand === undefined;
}

/** A rule stands for nothing that writes by a redirection, runs a command inside a word, or was not read to its end. */
function isCoverable({ class: kind, isUnread, parsed }: ClassifiedCommand): boolean {
  const redirects = [...parsed.redirects, ...parsed.commands.flatMap((command) => command.redirects)];
  return (
    kind === 'ask' && !isUnread && parsed.commands.length > 0 && !parsed.hasSubstitution && redirects.every(isHarmless)
  );
}

function isHarmless({ operator, target }: CommandRedirect): boolean {
  return (operator === '>' && target.text === '/dev/null') || (operator === '>&' && target.text === '1');
}

function needsQuotes(command: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they would not be seen
  return command.startsWith('"') || command !== command.trim() || /[\0-\x1f\x7f]/.test(command);
}

/** What a shell passes over around a command: not the blanks of other scripts, and none that is escaped. */
function withoutBlanks(command: string): string {
  const trimmed = trimLetters(command.replace(/^[ \t\n]+/, ''), ' \t\n');
  return trimmed.endsWith('\\') ? command : trimmed;
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // Said below.
  }
  throw new SettingsError(`The rule "bash: exactly ${text}" starts with a quote, so it has to be a whole JSON text.`);
}

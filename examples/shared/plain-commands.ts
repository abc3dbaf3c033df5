import type { Command, ParsedScript, Redirection, SyntaxNode } from 'unbash';
import { GAPS, type PlainWord, plainWord } from './plain-words.js';

/** A command whose words are known to the letter; those that are patterns of file names say so. */
export interface PlainCommand {
  readonly name: string;
  readonly args: readonly PlainArg[];
  /** A shell of its own runs it, as others do with what it is joined to by `|`. */
  readonly isPiped: boolean;
  /** A variable is set for this command alone. */
  readonly hasAssignment: boolean;
  /** Where its words and redirections stand in the text, in their order there. */
  readonly spans: readonly Span[];
  /** Where each argument ends. */
  readonly argEnds: readonly number[];
  /** The seconds after which `timeout` ends it, if that starts it. */
  readonly timeout?: string;
}

export type PlainArg = PlainWord;

export interface Span {
  readonly pos: number;
  readonly end: number;
}

interface Found {
  readonly commands: { readonly node: Command; readonly isPiped: boolean }[];
  groups: number;
}

/**
 * The commands, if the text holds nothing else. That does not rest on the tree alone: each word has to read the same by the
 * few quotings that are known here. Between words only blanks may stand, between commands one operator and braces of groups.
 */
export function plainCommands(script: ParsedScript, source: string): readonly PlainCommand[] | string {
  const found: Found = { commands: [], groups: 0 };
  for (const { command, background } of script.commands) {
    if (background === true) return 'it runs something in the background';
    if (!collect(command, false, found)) return 'it is more than plain commands in a row';
  }
  const plain: PlainCommand[] = [];
  for (const { node, isPiped } of found.commands) {
    const command = plainCommand(node, isPiped, source);
    if (typeof command === 'string') return command;
    plain.push(command);
  }
  return plain.length === 0 ? 'it holds no command' : (gapProblem(plain, source, found.groups) ?? plain);
}

/** Whether the node holds nothing but simple commands, lists, pipelines and groups. */
function collect(node: SyntaxNode, isPiped: boolean, found: Found): boolean {
  if (node.type === 'Command') {
    found.commands.push({ node, isPiped });
    return true;
  }
  if (node.type === 'BraceGroup') {
    found.groups += 1;
    return node.body.commands.every(
      ({ command, background }) => background !== true && collect(command, isPiped, found),
    );
  }
  if (node.type === 'Pipeline') {
    const isPlain = node.prefixes.length === 0 && node.operators.every((operator) => operator === '|');
    return isPlain && node.commands.every((part) => collect(part, true, found));
  }
  return node.type === 'AndOr' && node.commands.every((part) => collect(part, isPiped, found));
}

/** Change nothing that a command that only reads would look at. A path among the values could lead anywhere. */
const ASSIGNMENT =
  /^(NODE_ENV|APP_ENV|RAILS_ENV|RUST_BACKTRACE|CI|DEBUG|VERBOSE|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|LANG|LC_(ALL|COLLATE|CTYPE|MESSAGES|NUMERIC|TIME))=[\w.@-]*$/;
/** The redirections that write nothing. */
const HARMLESS_REDIRECT = /^([12]?>&[12-]|2?>[ \t]*\/dev\/null)$/;

function plainCommand(node: Command, isPiped: boolean, source: string): PlainCommand | string {
  const isKnown = ({ pos, end }: Span): boolean => ASSIGNMENT.test(source.slice(pos, end));
  if (node.name === undefined || !node.prefix.every(isKnown))
    return 'it assigns a variable or redirects in front of a command';
  const words = [node.name, ...node.args];
  const args: PlainArg[] = [];
  for (const word of words) {
    if (word.type !== 'Word') return 'it assigns a variable';
    const plain = plainWord(word.text);
    if (plain === undefined || plain.value !== word.value)
      return `"${word.text}" is expanded or quoted in an unusual way`;
    args.push(plain);
  }
  if (!node.redirects.every((item) => isHarmless(item, source))) return 'it redirects to or from a file';
  const spans = [...node.prefix, ...words, ...node.redirects];
  const timeout = timeoutOf(words.map(({ text }) => text));
  const first = timeout === undefined ? 0 : 2;
  return {
    name: words[first]?.text ?? '',
    args: args.slice(first + 1),
    ...(timeout === undefined ? {} : { timeout }),
    isPiped,
    hasAssignment: node.prefix.length > 0,
    argEnds: words.slice(first + 1).map(({ end }) => end),
    spans: spans.toSorted((a, b) => a.pos - b.pos).map(({ pos, end }) => ({ pos, end })),
  };
}

/** `timeout 5 ls` is `ls` with an end. What only a shell can do is not started so. */
function timeoutOf([name, time = '', program = '']: readonly string[]): string | undefined {
  const isKnown =
    name === 'timeout' && /^\d+[smhd]?$/.test(time) && /^(?!(?:cd|timeout)$)[A-Za-z][\w-]*$/.test(program);
  return isKnown ? time : undefined;
}

function isHarmless({ type, pos, end }: Redirection, source: string): boolean {
  return type === 'Redirect' && HARMLESS_REDIRECT.test(source.slice(pos, end));
}

function gapProblem(plain: readonly PlainCommand[], source: string, groups: number): string | undefined {
  let at = 0;
  let braces = '';
  const isKnown = (gap: string, kind: RegExp): boolean => {
    braces += gap.replaceAll(/#[^\n]*|[^{}]/g, '');
    return kind.test(gap);
  };
  for (const [index, { spans }] of plain.entries()) {
    for (const [part, { pos, end }] of spans.entries()) {
      const gap = source.slice(at, pos);
      const kind = part > 0 ? GAPS.inside : index > 0 ? GAPS.between : GAPS.before;
      // Only a redirection without a number may touch the word before it.
      const isTorn = part > 0 && gap === '' && source[pos] !== '>';
      if (isTorn || !isKnown(gap, kind)) return `"${gap.trim()}" is not known between commands`;
      at = end;
    }
  }
  if (!isKnown(source.slice(at), GAPS.after)) return 'its end is not known';
  const opened = braces.replaceAll('}', '').length;
  return opened === groups && braces.length === 2 * groups ? undefined : 'its groups are not known';
}

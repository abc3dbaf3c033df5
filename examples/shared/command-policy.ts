import { type CommandContext, findHarm } from './command-harm.js';
import { parseCommand, type ParsedCommand, type PlainCommand } from './parse-command.js';
import { safeProblem } from './safe-command.js';

export type { CommandContext } from './command-harm.js';

export type CommandClass = 'safe' | 'ask' | 'danger' | 'forbidden';

export interface ClassifiedCommand {
  readonly class: CommandClass;
  /** For the person who is asked. */
  readonly reason: string;
  /** Commands behind an error may not have been seen: it is to be asked about even where others of its class are not. */
  readonly isUnread: boolean;
  readonly parsed: ParsedCommand;
  /** Its commands, where it is plain. */
  readonly plain?: readonly PlainCommand[] | undefined;
}

/**
 * How much a shell command may do, by its parsed form. What is not known for certain to only read inside the roots is asked
 * about; what would destroy the system is forbidden at any depth.
 */
export function classifyCommand(command: string, context: CommandContext): ClassifiedCommand {
  const parsed = parseCommand(command);
  const plain = typeof parsed.plain === 'string' ? undefined : parsed.plain;
  const isUnread = parsed.problem !== undefined;
  const harm = findHarm(parsed, context);
  if (harm !== undefined) return { ...harm, isUnread, parsed, plain };
  if (typeof parsed.plain === 'string')
    return { class: 'ask', reason: parsed.problem ?? parsed.plain, isUnread, parsed };
  for (const each of parsed.plain) {
    const problem = safeProblem(each, { ...context, start: context.cwd });
    if (problem !== undefined) return { class: 'ask', reason: problem, isUnread, parsed, plain };
  }
  return { class: 'safe', reason: 'it only reads inside the workspace', isUnread, parsed, plain };
}

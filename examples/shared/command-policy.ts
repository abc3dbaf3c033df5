import { type CommandContext, findHarm } from './command-harm.js';
import { parseCommand, type ParsedCommand, type PlainCommand } from './parse-command.js';
import { safeProblem } from './safe-command.js';
import { ShellFolders } from './shell-folders.js';

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
  /** Of these, the ones that do more than read inside the roots. */
  readonly open: readonly OpenCommand[];
}

export interface OpenCommand {
  readonly command: PlainCommand;
  /** Each folder in which it may run. */
  readonly folders: readonly string[];
  readonly problem: string;
}

/**
 * How much a shell command may do, by its parsed form. What is not known for certain to only read inside the roots is asked
 * about; what would destroy the system is forbidden at any depth.
 */
export function classifyCommand(command: string, context: CommandContext): ClassifiedCommand {
  const parsed = parseCommand(command);
  const plain = typeof parsed.plain === 'string' ? undefined : parsed.plain;
  const open = plain === undefined ? [] : openCommands(plain, context);
  const facts = { isUnread: parsed.problem !== undefined, parsed, plain, open };
  const harm = findHarm(parsed, context);
  if (harm !== undefined) return { ...harm, ...facts };
  const problem = typeof parsed.plain === 'string' ? (parsed.problem ?? parsed.plain) : open[0]?.problem;
  if (problem !== undefined) return { class: 'ask', reason: problem, ...facts };
  return { class: 'safe', reason: 'it only reads inside the workspace', ...facts };
}

function openCommands(plain: readonly PlainCommand[], context: CommandContext): OpenCommand[] {
  const shell = new ShellFolders(context);
  const judged = plain.map((command) => {
    const folders = shell.all;
    const problem =
      command.name === 'cd'
        ? shell.change(command)
        : folders
            .map((cwd) => safeProblem(command, { ...context, cwd, start: context.cwd }))
            .find((each) => each !== undefined);
    return { command, folders, problem };
  });
  // Git is kept from the programs of its repository only if the whole line runs in the environment of safe commands.
  const first = judged.find(({ problem }) => problem !== undefined)?.problem;
  return judged.flatMap(({ command, folders, problem = command.name === 'git' ? first : undefined }) =>
    problem === undefined ? [] : [{ command, folders, problem }],
  );
}

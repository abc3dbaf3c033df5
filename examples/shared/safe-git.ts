import { statSync } from 'node:fs';
import { type GitCommand, SUBCOMMANDS } from './git-commands.js';
import { findLinkedFolder, findRepository, type GitPlace, type GitRepository } from './git-repository.js';
import type { PlainArg, PlainCommand } from './parse-command.js';
import { sortArgs } from './sort-args.js';

export interface SafeContext extends GitPlace {
  /** Where the line of commands starts, if a `cd` led on to `cwd`: git is told the repository of that folder. */
  readonly start?: string;
}

/** The words of a git command by what they are. */
interface ReadCommand {
  readonly command: GitCommand;
  readonly folders: readonly PlainArg[];
  readonly rest: readonly PlainArg[];
}

/** Why this command of git may do more than read the repository of the workspace. */
export function gitProblem(args: readonly PlainArg[], place: SafeContext): string | undefined {
  // Needs no repository, and reads none.
  if (args.length === 1 && /^(--version|version)$/.test(args[0]?.value ?? '')) return undefined;
  const read = readCommand(args);
  if (typeof read === 'string') return read;
  const { command, folders, rest } = read;
  const cwd = folderOf(folders, rest, place);
  if (typeof cwd !== 'string') return cwd.problem;
  const { guard, start = place.cwd } = place;
  const sorted = sortArgs(joined(rest), command);
  const [least, most] = command.count ?? [0, Infinity];
  const outside = sorted.paths.find(({ value }) => !guard.resolve(value, cwd).isReadable);
  return (
    sorted.problem ??
    command.problem?.(rest, sorted.texts) ??
    (sorted.paths.length < least || sorted.paths.length > most
      ? `git takes other words here to do more than read`
      : undefined) ??
    (outside && `${outside.value} is outside of the workspace`) ??
    repositoryProblem(command, { cwd, guard, start })
  );
}

function repositoryProblem({ followsIndex = false }: GitCommand, place: SafeContext): string | undefined {
  const repository = findRepository(place);
  if (typeof repository === 'string') return repository;
  const { cwd, guard, start = cwd } = place;
  const atStart = start === cwd ? repository : findRepository({ cwd: start, guard });
  if ((atStart as GitRepository | undefined)?.workTree !== repository?.workTree)
    return `${cwd} belongs to another repository`;
  if (!followsIndex || repository === undefined) return undefined;
  if (guard.resolve('.', repository.workTree).holdsClosed) return 'the workspace holds the folder of keys and settings';
  const linked = findLinkedFolder(repository);
  return linked && `${linked} is a link in the place of a folder, and git would follow it`;
}

/** Takes the words apart; a text if they are not those of a command that only reads. */
function readCommand(args: readonly PlainArg[]): ReadCommand | string {
  const folders: PlainArg[] = [];
  let at = 0;
  for (let word = args[0]; word?.value.startsWith('-') === true; word = args[at]) {
    const folder = args[at + 1];
    if (word.value === '--help' && args.length === 1) return { command: { count: [0, 0] }, folders, rest: [] };
    if (word.value === '-C' && folder !== undefined) folders.push(folder);
    else if (word.value !== '--no-pager' && word.value !== '-P')
      return `the option ${word.value} of git is not known to only read`;
    at += word.value === '-C' ? 2 : 1;
  }
  const name = args[at]?.value;
  // Git alone prints how it is used.
  if (name === undefined) return { command: {}, folders, rest: [] };
  const command = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (command === undefined) return `git ${name} may change files`;
  const action = args[at + 1]?.value ?? '';
  const chosen = Object.hasOwn(command.actions ?? {}, action) ? command.actions?.[action] : undefined;
  return { command: chosen ?? command, folders, rest: args.slice(at + (chosen === undefined ? 1 : 2)) };
}

/** `--sort` always takes the next word, which begins with a dash for the other direction. */
function joined(args: readonly PlainArg[]): PlainArg[] {
  return args.flatMap((arg, at) => {
    const next = arg.value === '--sort' ? args[at + 1] : undefined;
    if (next?.value.startsWith('-') === true) return [{ ...arg, value: `--sort=${next.value}` }];
    return args[at - 1]?.value === '--sort' && arg.value.startsWith('-') ? [] : [arg];
  });
}

/** Where `-C` leads: a folder of the workspace. */
function folderOf(
  folders: readonly PlainArg[],
  rest: readonly PlainArg[],
  { cwd, guard }: SafeContext,
): string | { readonly problem: string } {
  let here = cwd;
  // The shell looks for files of a pattern in its own folder, git then in another.
  const glob = [...folders, ...(folders.length === 0 ? [] : rest)].find(({ isGlob }) => isGlob);
  if (glob !== undefined) return { problem: `${glob.value} is a pattern beside -C` };
  for (const { value } of folders) {
    const { path, isReadable } = guard.resolve(value, here);
    const isFolder = isReadable && value !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isFolder) return { problem: `${value} is no folder of the workspace` };
    here = path;
  }
  return here;
}

/** The text of a safe command with what git needs to be told, so that it starts nothing that the repository names. */
export function withSafeGit(source: string, commands: readonly PlainCommand[]): string {
  const insertions = commands.flatMap(({ name, args, argEnds }) => {
    const read = name === 'git' ? readCommand(args) : '';
    const added = typeof read === 'string' ? undefined : read.command.added;
    const at = typeof read === 'string' ? undefined : argEnds[args.length - read.rest.length - 1];
    return added === undefined || at === undefined ? [] : [{ at, text: ` ${added}` }];
  });
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
}

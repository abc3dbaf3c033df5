import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainArg, PlainCommand } from './parse-command.js';
import { gitProblem, type SafeContext } from './safe-git.js';
import { SAFE_PROGRAMS, type SafeProgram } from './safe-programs.js';
import { sortArgs, type SortedArgs } from './sort-args.js';

/** Programs of the system may be named by their place. */
const SYSTEM_PROGRAM = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** Why the command may do more than read inside the roots; `undefined` if it only reads there. */
export function safeProblem({ name: program, args }: PlainCommand, context: SafeContext): string | undefined {
  if (program === 'git') return gitProblem(args, context) ?? globsProblem(args, context);
  const isOfSystem = !context.guard.resolve(program, '/').isReadable;
  const name = isOfSystem ? program.replace(SYSTEM_PROGRAM, '') : program;
  const known = Object.hasOwn(SAFE_PROGRAMS, name) ? SAFE_PROGRAMS[name] : undefined;
  if (known === undefined) return `${program} is not on the list of commands that only read`;
  const isOnlyText = known.texts === 'all' && known.flags === undefined;
  const sorted = isOnlyText
    ? { options: [], named: [], texts: args.map(({ value }) => value), paths: [] }
    : sortArgs(args, known);
  return (
    sorted.problem ??
    known.problem?.(args, sorted.texts, sorted.named) ??
    (sorted.paths.length > (known.maxPaths ?? Infinity)
      ? `${name} may write to ${sorted.paths.at(-1)?.value}`
      : undefined) ??
    globsProblem(args, context) ??
    pathsProblem(sorted, known, context)
  );
}

function pathsProblem(
  { paths, options, isUncertain }: SortedArgs,
  program: SafeProgram,
  context: SafeContext,
): string | undefined {
  const { isRecursive = false } = program;
  const isDeep =
    typeof isRecursive === 'string' ? options.some((option) => /^-(-recursive|[^-]*r)/i.test(option)) : isRecursive;
  const here = isDeep && (paths.length === 0 || isUncertain === true) ? [{ value: '.', isGlob: false }] : [];
  const { followsLinks } = program;
  const doesFollow = followsLinks !== undefined && options.some((option) => isLetter(option, followsLinks));
  const isCounted = program.maxPaths !== undefined || program.takesNoFolder === true;
  for (const { value, isGlob } of [...here, ...paths]) {
    if (value === '-') continue;
    if (isGlob && isCounted) return `${value} may name more than one file`;
    const problem = pathProblem(value, context, isDeep);
    if (problem !== undefined) return problem;
    if (doesFollow && mayLeaveByLink(context.guard.resolve(value, context.cwd).path, context))
      return `links in ${value} may lead outside of the workspace`;
    if (program.takesNoFolder === true && isFolder(context.guard.resolve(value, context.cwd).path)) {
      return `${value} is a folder, and links in it would be followed`;
    }
  }
  return undefined;
}

/** A pattern names what lies in its folder, so that folder is looked at. */
function pathProblem(value: string, { cwd, guard }: SafeContext, isDeep: boolean): string | undefined {
  const found = guard.resolve(value, cwd);
  if (!found.isReadable) return `${value} is outside of the workspace`;
  return isDeep && found.holdsClosed ? `${value} holds the folder of keys and settings` : undefined;
}

function isLetter(option: string, letter: string): boolean {
  return /^-[^-]/.test(option) && option.includes(letter);
}

/** Whether the folder holds a link to a folder or out of the workspace, or more than can be looked at. */
function mayLeaveByLink(path: string, { guard }: SafeContext): boolean {
  const todo = [path];
  let seen = 0;
  for (let folder = todo.pop(); folder !== undefined; folder = todo.pop()) {
    for (const entry of entriesIn(folder)) {
      const inner = join(folder, entry.name);
      seen += 1;
      if (seen > MAX_ENTRIES) return true;
      if (entry.isSymbolicLink() && (isFolder(inner) || !guard.resolve(inner, folder).isReadable)) return true;
      if (entry.isDirectory()) todo.push(inner);
    }
  }
  return false;
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const MAX_ENTRIES = 5000;
const MAX_STARS = 6;

/** What a pattern may become: an option, if a file is called like one; what lies elsewhere, if a file is a link. */
function globsProblem(args: readonly PlainArg[], context: SafeContext): string | undefined {
  for (const { value, isGlob } of args) {
    const problem = isGlob ? globProblem(value, context) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function globProblem(pattern: string, { cwd, guard }: SafeContext): string | undefined {
  if (pattern.startsWith('/')) return `${pattern} is a pattern of absolute paths`;
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return `${pattern} goes up from a folder`;
  if ((pattern.match(/[*?]+/g)?.length ?? 0) > MAX_STARS) return `${pattern} is too long a pattern to look at`;
  const isAtStart = /^[^/]*[*?[]/.test(pattern);
  let folders = [cwd];
  let seen = 0;
  for (const [level, part] of parts.entries()) {
    const matcher = /[*?[]/.test(part) ? matcherOf(part) : undefined;
    const entries = folders.flatMap((folder) =>
      matcher === undefined ? [{ folder, name: part }] : entriesOf(folder, matcher),
    );
    seen += entries.length;
    if (seen > MAX_ENTRIES) return `${pattern} may name too many files to look at`;
    const dashed = isAtStart && level === 0 && entries.find(({ name }) => name.startsWith('-'));
    if (dashed) return `${pattern} may name ${dashed.name}, which reads like an option`;
    folders = entries.map(({ folder, name }) => join(folder, name));
  }
  const outside = folders.find((path) => !guard.resolve(path, cwd).isReadable);
  return outside && `${pattern} may name ${outside}, which leads outside of the workspace`;
}

interface Entry {
  readonly folder: string;
  readonly name: string;
}

function entriesOf(folder: string, matcher: RegExp): Entry[] {
  try {
    return readdirSync(folder).flatMap((name) => (isMatched(name, matcher) ? [{ folder, name }] : []));
  } catch {
    return [];
  }
}

/** A name that is no UTF-8 arrives here changed, so it counts as matched. */
function isMatched(name: string, matcher: RegExp): boolean {
  return name.includes('\ufffd') || matcher.test(name);
}

/** Matches at least what the shell would, by letters or by bytes: a bracket stands for whatever may follow. */
function matcherOf(pattern: string): RegExp {
  const [beforeBracket = ''] = pattern.split('[');
  const source = beforeBracket.replaceAll(/[.+^$()|{}\]\\]/g, '\\$&').replaceAll(/[*?]+/g, '.*');
  return new RegExp(`^${source}${pattern.includes('[') ? '' : '$'}`, 'isu');
}

import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainCommand } from './parse-command.js';
import { gitProblem, type SafeContext } from './safe-git.js';
import { globsProblem } from './safe-globs.js';
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
  if (known === undefined) return `${program} may change files`;
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

const MAX_ENTRIES = 5000;

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

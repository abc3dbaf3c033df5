import { statSync } from 'node:fs';
import type { PlainCommand } from './parse-command.js';
import { gitProblem, type SafeContext } from './safe-git.js';
import { globsProblem } from './safe-globs.js';
import { SAFE_PROGRAMS, type SafeProgram } from './safe-programs.js';
import { sortArgs, type SortedArgs } from './sort-args.js';

/** Why the command may do more than read inside the roots; `undefined` if it only reads there. */
export function safeProblem({ name, args }: PlainCommand, context: SafeContext): string | undefined {
  if (name === 'git') return gitProblem(args, context) ?? globsProblem(args, context);
  const program = Object.hasOwn(SAFE_PROGRAMS, name) ? SAFE_PROGRAMS[name] : undefined;
  if (program === undefined) return `${name} is not on the list of commands that only read`;
  const isOnlyText = program.texts === 'all' && program.flags === undefined;
  const sorted = isOnlyText
    ? { options: [], texts: args.map(({ value }) => value), paths: [] }
    : sortArgs(args, program);
  return (
    sorted.problem ??
    program.problem?.(args, sorted.texts) ??
    (sorted.paths.length > (program.maxPaths ?? Infinity)
      ? `${name} may write to ${sorted.paths.at(-1)?.value}`
      : undefined) ??
    globsProblem(args, context) ??
    pathsProblem(sorted, program, context)
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
  const isCounted = program.maxPaths !== undefined || program.takesNoFolder === true;
  for (const { value, isGlob } of [...here, ...paths]) {
    if (value === '-') continue;
    if (isGlob && isCounted) return `${value} may name more than one file`;
    const problem = pathProblem(value, context, isDeep);
    if (problem !== undefined) return problem;
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

import { execFileSync } from 'node:child_process';
import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { createGlob, type Glob, type GlobSteps } from './glob.js';
import type { PlainArg } from './parse-command.js';
import { BASH } from './run-command.js';
import type { SafeContext } from './safe-git.js';

const MAX_CHARS = 1000;
/** What a pattern may name. */
const MAX_MATCHES = 5000;
/** What is looked at, for all patterns of a command. */
const MAX_ENTRIES = 20_000;
const MAX_STEPS = 5_000_000;

/** What patterns may become: an option, if a file is called like one; what lies elsewhere, if a file is a link. */
export function globsProblem(args: readonly PlainArg[], context: SafeContext): string | undefined {
  const work = newWork();
  for (const arg of args) {
    const problem = arg.isGlob ? globProblem(arg, context, work) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function globProblem(
  { value, pattern = value }: PlainArg,
  { cwd, guard }: SafeContext,
  work: Work,
): string | undefined {
  if (value.startsWith('/')) return `${value} is a pattern of absolute paths`;
  if (value.split('/').includes('..')) return `${value} goes up from a folder`;
  // Bash finds no name with a dot in front by a set, and other shells might.
  if (value.split('/').some((part) => /^\[[^\]]*\./.test(part))) return `${value} may name what begins with a dot`;
  const named = expandGlob(pattern, cwd, work);
  if (typeof named === 'string') return `${value} ${named}`;
  const isAtStart = /^[^/]*[*?[]/.test(value);
  const dashed = isAtStart && named.find(({ name }) => name.startsWith('-'));
  if (dashed) return `${value} may name ${dashed.name}, which reads like an option`;
  const outside = named.find(({ name }) => !guard.resolve(name, cwd).isReadable);
  return outside && `${value} may name ${outside.name}, which leads outside of the workspace`;
}

/** How much was looked at. */
interface Work {
  entries: number;
  readonly steps: GlobSteps;
}

function newWork(): Work {
  return { entries: 0, steps: { count: 0 } };
}

interface NamedPath {
  /** From the folder in which the command runs. */
  readonly name: string;
}

/**
 * All that bash could put in place of a pattern, or why that is not looked for. Names behind a part without wildcards need not
 * be there. `pattern`: with a backslash in front of what is quoted.
 */
export function expandGlob(pattern: string, cwd: string, work = newWork()): readonly NamedPath[] | string {
  if (pattern.length > MAX_CHARS) return 'is too long a pattern to look at';
  let names = [''];
  for (const part of pattern.split('/').filter((each) => each !== '' && each !== '.')) {
    const matcher = matcherOf(part);
    if (matcher === undefined) {
      names = names.map((name) => join(name, part.replaceAll(/\\(.)/gs, '$1')));
      continue;
    }
    const found: string[] = [];
    for (const folder of names) {
      for (const name of namesIn(join(cwd, folder), part)) {
        work.entries += 1;
        if (work.entries > MAX_ENTRIES || work.steps.count > MAX_STEPS || found.length > MAX_MATCHES)
          return 'may name too many files to look at';
        if (matcher(name, work.steps)) found.push(join(folder, name));
      }
    }
    names = found;
  }
  return names.map((name) => ({ name }));
}

/** One by one: a folder may hold millions. */
function* namesIn(folder: string, part: string): Generator<string> {
  if (/^\\?\./.test(part) && !skipsDots()) yield* ['.', '..'];
  try {
    const found = opendirSync(folder);
    try {
      for (let entry: Dirent | null = found.readSync(); entry !== null; entry = found.readSync()) yield entry.name;
    } finally {
      found.closeSync();
    }
  } catch {
    // What cannot be listed here cannot be listed by bash either.
  }
}

let areDotsSkipped: boolean | undefined;

/** Whether `.*` leaves out `..`, as it does since bash 5.2. */
function skipsDots(): boolean {
  try {
    const args = ['--norc', '--noprofile', '-c', 'shopt -q globskipdots'];
    areDotsSkipped ??= execFileSync(BASH, args, { stdio: 'ignore', env: {} }) === null;
  } catch {
    areDotsSkipped = false;
  }
  return areDotsSkipped;
}

type NameMatcher = (name: string, steps: GlobSteps) => boolean;

/**
 * By letters or, as bash does for a name that is no text in its locale, by bytes. A name that is no UTF-8 arrives here
 * changed, so it counts as matched. `undefined`: there is no wildcard.
 */
function matcherOf(part: string): NameMatcher | undefined {
  if (!/[*?[]/.test(part.replaceAll(/\\./gs, ''))) return undefined;
  const letters = createGlob(part, { style: 'bash' });
  let bytes: Glob | undefined;
  const hasDot = /^\\?\./.test(part);
  return (name, steps) => {
    if (name.startsWith('.') && !hasDot) return false;
    if (name.includes('\ufffd') || letters.matches(name, steps)) return true;
    if (!/[^\0-\x7f]/.test(name)) return false;
    bytes ??= createGlob(asBytes(part), { style: 'bash' });
    return bytes.matches(asBytes(name), steps);
  };
}

function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

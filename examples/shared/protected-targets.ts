import { dirname, join, normalize } from 'node:path';
import type { CommandWord, ParsedCommand } from './parse-command.js';
import { isWithin, realFolder } from './path-guard.js';
import { trimLetters } from './trim-end.js';

export interface TargetContext {
  readonly cwd: string;
  readonly home: string;
  readonly roots: readonly string[];
}

/** Finds folders among arguments that must not be lost as a whole. */
export interface Targets {
  /** Holds the system, a home folder, a root or a parent of it. */
  destroyed(args: readonly CommandWord[]): string | undefined;
  /** Holds the system, a home folder, or a parent of a root. */
  aboveRoots(args: readonly CommandWord[]): string | undefined;
  /** Holds the system. */
  ofSystem(args: readonly CommandWord[]): string | undefined;
  /** Lies in a folder of the system, outside of the roots and of the folder for temporary files. */
  inSystem(args: readonly CommandWord[]): string | undefined;
}

const SYSTEM = new Set(
  (
    '/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /opt /proc /root /run /sbin /srv /sys /usr /usr/bin /usr/lib /usr/local ' +
    '/usr/sbin /usr/share /var /var/lib /applications /library /system /users /volumes /private /private/etc /private/var'
  ).split(' '),
);
/** Programs, libraries, devices and settings of the machine. */
const SYSTEM_FILES =
  /^\/(?:bin|boot|dev|etc|lib\d*|proc|sbin|sys|usr|applications|library|system|private\/etc|var\/(?:lib|spool|log|www))(?:\/(?!(?:null|zero|stdout|stderr|tty|fd)\b)|$)/i;
/** A part of a path that stands for everything in a folder. */
const EVERYTHING = /^(?=.*[*?[])[.*?[\]!^]*$/;
const MAX_ALTERNATIVES = 64;
const MAX_PATH_CHARS = 4096;
/** Folders that the text goes to, and paths that it may mean from there. */
const MAX_STARTS = 500;
const MAX_LOOKED_AT = 5000;

/** A text names more than is looked at. */
export class TooManyTargetsError extends Error {}

/** The same, if they are not too many. */
export function few<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length > most) throw new TooManyTargetsError(`it names more than ${most} programs`);
  return all;
}

export function createTargets(parsed: ParsedCommand, context: TargetContext): Targets {
  const starts = startFolders(parsed, context);
  const kept = [...context.roots, context.cwd, context.home].flatMap((path) => [path, realFolder(path)]);
  const within = new Set(
    [...context.roots, context.cwd].flatMap((path) => [path, realFolder(path)].map((each) => each.toLowerCase())),
  );
  const isSystem = (path: string): boolean => SYSTEM.has(path.toLowerCase());
  let lookedAt = 0;
  const count = (): true => {
    lookedAt += 1;
    if (lookedAt > MAX_LOOKED_AT) throw new TooManyTargetsError(`it names more than ${MAX_LOOKED_AT} places`);
    return true;
  };
  const isKept = (path: string): boolean =>
    isSystem(path) || kept.some((folder) => isWithin(folder.toLowerCase(), path.toLowerCase()));
  const find = (args: readonly CommandWord[], test: (path: string) => boolean, isAnyPattern = false) =>
    args.find((arg) =>
      targetsOf(arg, context).some((target) =>
        starts.some((start) => count() && meets(target, start, { test, isAnyPattern })),
      ),
    )?.text;
  const isAbove = (path: string): boolean => isKept(path) && !within.has(path.toLowerCase());
  const isInSystem = (path: string): boolean =>
    SYSTEM_FILES.test(path) && ![...kept].some((folder) => isWithin(path.toLowerCase(), folder.toLowerCase()));
  return {
    destroyed: (args) => find(args, isKept),
    aboveRoots: (args) => find(args, isAbove),
    ofSystem: (args) => find(args, isSystem),
    inSystem: (args) => find(args, isInSystem, true),
  };
}

interface Wanted {
  readonly test: (path: string) => boolean;
  /** A pattern counts that stands for some of a folder, too. */
  readonly isAnyPattern: boolean;
}

function meets(target: string, start: string, { test, isAnyPattern }: Wanted): boolean {
  const path = target.startsWith('/') ? target : join(start, target);
  const parts = path.split('/');
  const glob = parts.findIndex((part) => /[*?[]/.test(part));
  const folder = trimmed(glob === -1 ? path : parts.slice(0, glob).join('/') || '/');
  // `/u*` may be all of the system; elsewhere only what stands for everything.
  if (glob !== -1 && !isAnyPattern && folder !== '/' && !EVERYTHING.test(parts[glob] ?? '')) return false;
  // The system takes no longer path.
  return test(folder) || (folder.length <= MAX_PATH_CHARS && test(realFolder(folder)));
}

function trimmed(path: string): string {
  const normal = normalize(path).replace(/^\/+/, '/');
  return normal.length > 1 ? trimLetters(normal, '/') : normal;
}

/** What an argument may name, as far as it is known before it runs. */
function targetsOf({ value, text }: CommandWord, { home, cwd }: TargetContext): string[] {
  if (value.startsWith('-')) return [];
  return alternatives(value).map((target) => {
    const known = target
      .replace(/^~(?=\/|$)/, home)
      .replaceAll(/\$(?:HOME\b|\{HOME[^}]{0,100}\})/g, home)
      .replaceAll(/\$(?:PWD\b|\{PWD[^}]{0,100}\})/g, cwd);
    // `~root` and its like are homes too.
    return text.startsWith('~') && /^~[^/]*\/?$/.test(known) ? home : known;
  });
}

/** `a{b,c}` as `ab` and `ac`. */
function alternatives(value: string): string[] {
  const done: string[] = [];
  const todo = [value];
  for (let next = todo.shift(); next !== undefined && done.length < MAX_ALTERNATIVES; next = todo.shift()) {
    const braces = /(?<!\$)\{([^{},]*,[^{}]*)\}/.exec(next);
    if (braces === null || todo.length > MAX_ALTERNATIVES) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, braces.index);
    const after = next.slice(braces.index + braces[0].length);
    todo.push(...(braces[1] ?? '').split(',').map((inner) => before + inner + after));
  }
  return done;
}

/** Where commands of the text may run: where it starts, and every folder it goes to. */
function startFolders({ commands }: ParsedCommand, context: TargetContext): string[] {
  const starts = [context.cwd];
  for (const { name, args } of commands) {
    if (name === undefined || !/^(cd|pushd)$/.test(name.value)) continue;
    const folders = args.flatMap((arg) => targetsOf(arg, context));
    if (starts.length > MAX_STARTS) throw new TooManyTargetsError(`it goes to more than ${MAX_STARTS} folders`);
    const from = starts.at(-1) ?? context.cwd;
    for (const folder of folders.length === 0 ? [context.home] : folders) {
      starts.push(folder === '-' ? dirname(from) : folder.startsWith('/') ? folder : join(from, folder));
    }
  }
  return starts;
}

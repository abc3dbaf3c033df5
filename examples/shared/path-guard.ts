import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';

export interface PathGuardOptions {
  /** Folders that may be read and written. */
  readonly roots: readonly string[];
  /** Folders that may be read, such as the one that holds long outputs. */
  readonly readable?: readonly string[] | undefined;
  /** Folders that are never inside, even within a root: where keys and grants lie. */
  readonly closed?: readonly string[] | undefined;
  /** No roots: every path is inside but those that are closed or belong to the system's own file systems. */
  readonly isUnlimited?: boolean | undefined;
}

export interface GuardedPath {
  /** The real path: where the file is, or would be if it does not exist yet. */
  readonly path: string;
  /** May be read and written. */
  readonly isInside: boolean;
  readonly isReadable: boolean;
  /** Inside, and one of the closed folders lies in it. */
  readonly holdsClosed: boolean;
  /** Why the path leads nowhere. */
  readonly problem?: string | undefined;
}

export interface PathGuard {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly isUnlimited: boolean;
  /** What it was made of, so that another thread can make the same. */
  readonly options: PathGuardOptions;
  /** Follows the path as the system would, from `cwd`, which has to be absolute. */
  resolve(path: string, cwd: string): GuardedPath;
}

/** What the kernel makes up: environments of other processes, devices, settings of the machine. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];
/** As many as Linux follows. */
const MAX_LINKS = 40;

/** Says whether paths lie inside the allowed folders once every link is followed, for files that do not exist yet too. */
export function createPathGuard(options: PathGuardOptions): PathGuard {
  const roots = options.roots.map(realFolder);
  const readable = [...roots, ...(options.readable ?? []).map(realFolder)];
  const closed = (options.closed ?? []).map(realFolder);
  const isUnlimited = options.isUnlimited ?? false;
  const isOpen = (path: string): boolean =>
    !closed.some((folder) => isWithin(folded(path), folded(folder))) &&
    !(isUnlimited ? SYSTEM_FOLDERS : []).some((folder) => isWithin(path, folder));
  const resolve = (path: string, cwd: string): GuardedPath => {
    const followed = followPath(path, cwd);
    const isUsable = followed.problem === undefined;
    const isAmong = (folders: readonly string[]): boolean =>
      isUnlimited || folders.some((folder) => isWithin(followed.path, folder));
    // What may be read may lie in a closed folder: it was named one by one.
    const isGranted = (options.readable ?? []).some((folder) => isWithin(followed.path, realFolder(folder)));
    return {
      ...followed,
      isInside: isUsable && isAmong(roots) && isOpen(followed.path),
      isReadable: isUsable && (isGranted || (isAmong(readable) && isOpen(followed.path))),
      holdsClosed: closed.some((folder) => isWithin(folded(folder), folded(followed.path))),
    };
  };
  return { roots, isUnlimited, options, resolve };
}

/** Whether `path` is `folder` or lies in it; both are real paths. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The real path of a folder, also of one that is not there yet. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return followPath(path, process.cwd()).path;
  }
}

/**
 * Follows a path part by part, as the system does: `link/..` is the parent of where the link leads, which `path.resolve`
 * would not say.
 */
function followPath(path: string, cwd: string): { readonly path: string; readonly problem?: string } {
  if (path.includes('\0')) return { path: cwd, problem: 'the path holds a NUL' };
  const todo = partsOf(isAbsolute(path) ? path : join(cwd, sep) + path);
  let at: string = sep;
  let isMissing = false;
  let links = 0;
  for (let part = todo.shift(); part !== undefined; part = todo.shift()) {
    if (part === '..') {
      // The system would not go back from a folder that is not there; a program may, so it is looked at as it would.
      at = dirname(at);
      isMissing = false;
      continue;
    }
    const next = join(at, part);
    const target = isMissing ? undefined : linkTarget(next);
    if (target === undefined) {
      at = next;
      isMissing ||= !exists(next);
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return { path: next, problem: 'the path goes through too many symbolic links' };
    if (isAbsolute(target)) at = sep;
    todo.unshift(...partsOf(target));
  }
  return { path: at };
}

function partsOf(path: string): string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.');
}

/** Of a symbolic link, where it leads. */
function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** What may not be looked at counts as missing: no process of this user gets through it either. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** In the one form that a file system which ignores case and composition would compare. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

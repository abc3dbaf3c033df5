import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Terminal } from './command.js';

const FOLDER = 'responses-loop';
const OTHERS = 0o077;

/**
 * Remembers the user's consent: the hash of a content by its place, in the user's own state folder. It counts only from
 * a file and folders that no other user can read or write and that lie outside the file's folder, so a cloned or
 * unpacked folder grants nothing.
 */
export class Allowed {
  readonly #base: string | undefined;
  readonly #kind: string;
  readonly #untrusted: readonly string[];

  /** `untrusted`: real paths of the folders of the files. */
  constructor(kind: string, env: Terminal['env'], untrusted: readonly string[]) {
    this.#base = stateBase(env);
    this.#kind = kind;
    this.#untrusted = untrusted;
  }

  async has(place: string, content: string): Promise<boolean> {
    try {
      const file = await this.#fileFor(place);
      for (const part of [dirname(dirname(file)), dirname(file), file]) if (!(await isPrivate(part))) return false;
      return (await readFile(file, 'utf8')) === hashOf(content);
    } catch {
      return false;
    }
  }

  /** Rejects with the reason if it cannot be remembered. */
  async add(place: string, content: string): Promise<void> {
    const file = await this.#fileFor(place);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    for (const folder of [dirname(dirname(file)), dirname(file)])
      if (!(await isPrivate(folder))) throw new Error(`others can reach ${folder}, or it is a link`);
    // Written whole by a rename, because another process may read it now.
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, hashOf(content), { mode: 0o600, flag: 'wx' });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #fileFor(place: string): Promise<string> {
    if (this.#base === undefined) throw new Error('the environment names no home folder');
    const base = await realpath(await nearest(this.#base));
    if (this.#untrusted.some((folder) => isInside(base, folder)))
      throw new Error(`${this.#base} lies in the folder of the file`);
    return join(this.#base, FOLDER, this.#kind, hashOf(place));
  }
}

/** Returns the user's own place for something with a name; `undefined` if the environment names no home folder. */
export function stateFile(kind: string, name: string, env: Terminal['env']): string | undefined {
  const base = stateBase(env);
  return base === undefined ? undefined : join(base, FOLDER, kind, hashOf(name));
}

/** `XDG_STATE_HOME` counts only if it is absolute, as its specification demands. */
function stateBase(env: Terminal['env']): string | undefined {
  const { XDG_STATE_HOME: state = '', LOCALAPPDATA: local = '', HOME: home = '' } = env;
  if (isAbsolute(state)) return state;
  if (process.platform === 'win32') return isAbsolute(local) ? local : undefined;
  return isAbsolute(home) ? join(home, '.local', 'state') : undefined;
}

/** Returns the folder, or its nearest existing parent. */
async function nearest(folder: string): Promise<string> {
  for (let place = folder; ; place = dirname(place)) {
    try {
      await lstat(place);
      return place;
    } catch (error) {
      if (dirname(place) === place) throw error;
    }
  }
}

function isInside(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

async function isPrivate(path: string): Promise<boolean> {
  const stats = await lstat(path);
  const own = process.getuid?.();
  // Windows has no numeric owners and modes.
  return !stats.isSymbolicLink() && (own === undefined || (stats.uid === own && (stats.mode & OTHERS) === 0));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

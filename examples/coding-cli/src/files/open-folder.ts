import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../tools/context.js';

/** There is no such file or folder. */
export class MissingError extends ToolError {}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Linux reaches the entries of an open folder by its number, wherever its name leads meanwhile. */
const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');

/** A folder that is held open, so that no link put in its place afterwards is followed. */
export interface OpenFolder {
  /** How the system reaches an entry of this very folder. */
  entry(name: string): string;
  /** @throws ToolError if the path has come to lead elsewhere, where the system cannot hold a folder by its number. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder at a real path. `isMade`: folders that are missing are made.
 *
 * @throws ToolError if a part of the path has become a link since it was followed.
 */
export async function openFolder(path: string, { isMade = false } = {}): Promise<OpenFolder> {
  try {
    return await openAt(path, path);
  } catch (error) {
    if (!isMade || codeOf(error) !== 'ENOENT' || path === dirname(path)) throw readable(error, path);
  }
  const parent = await openFolder(dirname(path), { isMade });
  try {
    const entry = parent.entry(basename(path));
    await mkdir(entry).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw readable(error, path);
    });
    return await openAt(entry, path).catch((error: unknown) => {
      throw readable(error, path);
    });
  } finally {
    await parent.close();
  }
}

async function openAt(at: string, path: string): Promise<OpenFolder> {
  const handle = await open(at, FOLDER);
  const folder: OpenFolder = {
    entry: (name) => join(HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${handle.fd}` : path, name),
    check: () => checkPlace(handle, path),
    close: () => handle.close(),
  };
  try {
    await folder.check();
    return folder;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function checkPlace({ fd }: FileHandle, path: string): Promise<void> {
  const real = HAS_DESCRIPTOR_PATHS ? await readlink(`/proc/self/fd/${fd}`) : await realpath(path);
  if (real !== path) throw new ToolError(`${path} now leads to ${real}. Nothing was done.`);
}

function readable(error: unknown, path: string): unknown {
  const code = codeOf(error);
  // A link where a folder was: the last part is never followed.
  if (code === 'ELOOP') return new ToolError(`${path} has become a symbolic link. Nothing was done.`);
  if (code === 'ENOTDIR') return new ToolError(`${path} is not a folder.`);
  if (code === 'ENOENT') return new MissingError(`There is no folder ${path}.`);
  return error;
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

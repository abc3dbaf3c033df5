import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isWithin, type PathGuard } from 'responses-loop-example-shared/path-guard.js';

/** The folder that is worked in, and what of it is out of reach. */
export interface WorkspaceFiles {
  /** Real path. */
  readonly root: string;
  readonly guard: PathGuard;
}

/** Git runs what lies there. */
const NEVER_WRITTEN = ['.git'];

/**
 * Where a path of a tool really leads.
 *
 * @throws Error for the model, with the path as it was given.
 */
export function resolveReadable(path: string, { root, guard }: WorkspaceFiles): string {
  const { path: real, isReadable, problem } = guard.resolve(path, root);
  if (problem !== undefined) throw new Error(`${path}: ${problem}.`);
  if (!isReadable) throw new Error(`${path} is outside the workspace, or belongs to the chat server.`);
  return real;
}

/** @throws Error for the model, with the path as it was given. */
export function resolveWritable(path: string, files: WorkspaceFiles): string {
  const { root, guard } = files;
  const { path: real, isInside, problem } = guard.resolve(path, root);
  if (problem !== undefined) throw new Error(`${path}: ${problem}.`);
  if (!isInside) throw new Error(`${path} is outside the workspace, or belongs to the chat server.`);
  if (real === root) throw new Error(`${path} is the workspace itself.`);
  const folders = real.slice(root.length).toLowerCase().split(sep);
  const forbidden = NEVER_WRITTEN.find((name) => folders.includes(name));
  if (forbidden !== undefined) throw new Error(`${path} lies in ${forbidden}, where this tool does not write.`);
  return real;
}

/**
 * Opens a regular file without following a last link, and makes sure that what was opened still lies at `real`: a link that
 * was put in place of a folder meanwhile leads elsewhere.
 */
export async function openReadable(real: string, shown: string): Promise<FileHandle> {
  // A pipe would wait for its writer for ever.
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const [opened, there] = await Promise.all([handle.stat(), stat(real)]);
    const isMoved = (await realpath(real)) !== real || opened.ino !== there.ino || opened.dev !== there.dev;
    if (isMoved) throw new Error(`${shown} was moved while it was opened.`);
    if (opened.isDirectory()) throw new Error(`${shown} is a folder: use listDir.`);
    if (!opened.isFile()) throw new Error(`${shown} is not a regular file.`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Writes beside the file, then renames: a reader sees the old file or the new one. Keeps the mode of an old one. */
export async function replaceFile(real: string, content: string | Uint8Array, { root }: WorkspaceFiles): Promise<void> {
  const folder = dirname(real);
  await mkdir(folder, { recursive: true });
  const mode = await modeOf(real);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.chmod(mode);
    await handle.close();
    const isMoved = (await realpath(folder)) !== folder || !isWithin(folder, root);
    if (isMoved) throw new Error('Its folder was moved meanwhile.');
    await rename(draft, real);
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
}

async function modeOf(real: string): Promise<number> {
  try {
    const found = await stat(real);
    if (found.isDirectory()) throw new Error('There is a folder of this name.');
    return found.mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return 0o644;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** An error of the file system without the real path, with the one that the model gave. */
export function fileError(error: unknown, path: string): Error {
  if (!(error instanceof Error)) return new Error(`${path}: ${String(error)}`);
  if (!('code' in error)) return error.message.startsWith(path) ? error : new Error(`${path}: ${error.message}`);
  return new Error(`${path}: ${REASONS[String(error.code)] ?? `the system reported ${String(error.code)}`}.`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'the system does not permit it',
  EPERM: 'the system does not permit it',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a symbolic link',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk can only be read',
  ENAMETOOLONG: 'the name is too long',
};

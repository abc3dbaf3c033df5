import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';

/** The folder that is worked in, and what of it is out of reach. */
export interface WorkspaceFiles {
  /** Real path. */
  readonly root: string;
  readonly guard: PathGuard;
}

/** A file that a call names. */
export interface FilePlace {
  /** Real path. */
  readonly real: string;
  /** As the model gave it. */
  readonly path: string;
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

/** What is longer is replaced by no tool: nobody could be shown what goes. */
const MAX_REPLACED_BYTES = 50_000_000;

/** @throws Error for the model, if what is there cannot be replaced. Only looks at it. */
export async function checkReplaceable({ real, path }: FilePlace): Promise<void> {
  await withFileIfThere({ real, path }, async () => {});
}

/** All that a file holds; `undefined`: there is none. */
export function readIfThere(place: FilePlace): Promise<Buffer | undefined> {
  return withFileIfThere(place, (handle) => handle.readFile());
}

async function withFileIfThere<T>(
  { real, path }: FilePlace,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  const handle = await openReadable(real, path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    if (size <= MAX_REPLACED_BYTES) return await use(handle);
    throw new Error(`${path} has ${size} bytes, more than the ${MAX_REPLACED_BYTES} that can be replaced here.`);
  } finally {
    await handle.close();
  }
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
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

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ToolError } from '../tools/context.js';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { codeOf, type OpenFolder, openFolder } from './open-folder.js';
import { readIfThere } from './read-file.js';

const DRAFT = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

export interface WriteOptions {
  /** Hash of what the file has to hold still; `null`: there has to be none. */
  readonly expected: string | null;
  /** For the message if it does not. */
  readonly name: string;
}

/**
 * Puts new content in the place of a file at a real path, whole or not at all: a draft beside it takes its name. What lies
 * outside of the folder that was checked is not touched, whatever links appear meanwhile.
 */
export async function writeFileSafely(path: string, content: Uint8Array, options: WriteOptions): Promise<void> {
  const folder = await openFolder(dirname(path), { isMade: true });
  const draft = folder.entry(`.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const mode = await modeOf(folder, path);
    await writeDraft(draft, content, mode);
    await checkUnchanged(path, options);
    await folder.check();
    await putInPlace(draft, folder.entry(basename(path)), options);
  } catch (error) {
    throw readable(error, options.name);
  } finally {
    await rm(draft, { force: true });
    await folder.close();
  }
}

/** Takes a file away that holds what it is expected to hold. */
export async function removeFileSafely(path: string, options: WriteOptions): Promise<void> {
  const folder = await openFolder(dirname(path));
  try {
    await checkUnchanged(path, options);
    await folder.check();
    await rm(folder.entry(basename(path)));
  } finally {
    await folder.close();
  }
}

/** Of the file as it is; a new one gets what the system gives. */
async function modeOf(folder: OpenFolder, path: string): Promise<number | undefined> {
  const stat = await lstat(folder.entry(basename(path))).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stat !== undefined && !stat.isFile())
    throw new ToolError(`${path} is not a regular file (any more). Nothing was written.`);
  return stat === undefined ? undefined : stat.mode & 0o7777;
}

async function writeDraft(draft: string, content: Uint8Array, mode: number | undefined): Promise<void> {
  const file: FileHandle = await open(draft, DRAFT, 0o666);
  try {
    await file.writeFile(content);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function checkUnchanged(path: string, { expected, name }: WriteOptions): Promise<void> {
  const now = await readIfThere(path);
  if ((now === undefined ? null : hashOf(now)) !== expected) {
    throw new ToolError(`${name} has changed on disk since it was read. Nothing was written: read it again.`);
  }
}

/** A new file must not take the place of one that appeared meanwhile. */
async function putInPlace(draft: string, target: string, { expected, name }: WriteOptions): Promise<void> {
  if (expected !== null) return rename(draft, target);
  try {
    await link(draft, target);
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new ToolError(`${name} has appeared in the meantime. Nothing was written: read it first.`);
    // Some file systems have no links.
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
    await rename(draft, target);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  ENAMETOOLONG: 'its name is too long',
  EISDIR: 'it is a folder',
};

function readable(error: unknown, name: string): unknown {
  const reason = REASONS[codeOf(error) ?? ''];
  return reason === undefined ? error : new ToolError(`${name} cannot be written: ${reason}.`);
}

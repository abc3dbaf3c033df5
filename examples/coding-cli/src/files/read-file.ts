import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ToolError } from '../tools/context.js';
import { codeOf, MissingError, openFolder, type OpenFolder } from './open-folder.js';

/** A pipe that nobody writes to does not hold the reader up, and a link in the file's place is not followed. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a regular file at a real path and closes it behind `use`. @throws ToolError that says what is there instead. */
export async function withFile<T>(path: string, use: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
  const folder = await openFolder(dirname(path));
  try {
    const file = await openIn(folder, path);
    try {
      const stat = await file.stat();
      if (stat.isDirectory()) throw new ToolError(`${path} is a folder. Use list to see what is in it.`);
      if (!stat.isFile()) throw new ToolError(`${path} is not a regular file.`);
      return await use(file, stat.size);
    } finally {
      await file.close();
    }
  } finally {
    await folder.close();
  }
}

const MAX_WHOLE_BYTES = 50_000_000;

/** All that a file holds. */
function readWhole(path: string): Promise<Buffer> {
  return withFile(path, (file, size) => {
    if (size <= MAX_WHOLE_BYTES) return file.readFile();
    throw new ToolError(
      `${path} has ${size} bytes, more than the ${MAX_WHOLE_BYTES} that can be changed here: use a command.`,
    );
  });
}

/** `undefined`: there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readWhole(path);
  } catch (error) {
    if (error instanceof MissingError) return undefined;
    throw error;
  }
}

async function openIn(folder: OpenFolder, path: string): Promise<FileHandle> {
  try {
    return await open(folder.entry(basename(path)), READ);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') throw new MissingError(`There is no file ${path}.`);
    if (code === 'ELOOP') throw new ToolError(`${path} has become a symbolic link. It was not followed.`);
    if (code === 'EACCES' || code === 'EPERM') throw new ToolError(`${path} may not be read by this user.`);
    if (code === 'ENAMETOOLONG') throw new ToolError(`${path}: its name is too long.`);
    if (code === 'ENXIO') throw new ToolError(`${path} is not a regular file.`);
    throw error;
  }
}

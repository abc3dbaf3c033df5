import { isProtected } from './protected.js';
import { type ToolContext, ToolError } from '../tools/context.js';

export type Place = Pick<ToolContext, 'cwd' | 'extra' | 'isOpened'>;

/** The real path of a file that may be read. @throws ToolError if it lies outside, and was not opened for this call. */
export function locateToRead(path: string, { cwd, extra, isOpened }: Place): string {
  const found = extra.guard.resolve(path, cwd);
  if (found.problem !== undefined) throw new ToolError(`${path}: ${found.problem}.`);
  if (found.isReadable || isOpened(found.path)) return found.path;
  throw new ToolError(
    `${path} leads to ${found.path}, which is outside of the workspace and was not opened for this call.`,
  );
}

/** The real path of a file that may be written. @throws ToolError as above, and for what is never written. */
export function locateToWrite(path: string, { cwd, extra, isOpened }: Place): string {
  const found = extra.guard.resolve(path, cwd);
  if (found.problem !== undefined) throw new ToolError(`${path}: ${found.problem}.`);
  if (isProtected(found.path, extra.protectedDirs)) {
    throw new ToolError(
      `${path} is in a folder of settings that these tools never write to (.git, .coder, the program's own data).`,
    );
  }
  if (found.isInside || isOpened(found.path)) return found.path;
  throw new ToolError(
    `${path} leads to ${found.path}, which is outside of the workspace and was not opened for this call.`,
  );
}

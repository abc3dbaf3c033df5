import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const NAME = 'AGENTS.md';
/** Of all files together. */
const MAX_BYTES = 32_768;

/** `AGENTS.md` from the repository's root down to the workspace. What lies outside of the repository is not read. */
export function readProjectDoc(workspace: string): string {
  const folders = chain(workspace);
  const root = folders[0] ?? workspace;
  const texts = folders.flatMap((folder) => {
    const text = readWithin(join(folder, NAME), root);
    return text === undefined || text.trim() === '' ? [] : [text.trim()];
  });
  return cutBytes(texts.join('\n\n'), MAX_BYTES);
}

/** From the repository's root down to the workspace; the workspace alone, if it is in none. */
function chain(workspace: string): string[] {
  const folders = [workspace];
  for (let folder = workspace; ;) {
    if (statOf(join(folder, '.git')) !== undefined) return folders.toReversed();
    const parent = dirname(folder);
    if (parent === folder) return [workspace];
    folders.push((folder = parent));
  }
}

/** A link could lead to any file of the user, and a pipe would be waited for. */
function readWithin(path: string, root: string): string | undefined {
  try {
    const real = realpathSync(path);
    if (!`${real}${sep}`.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
    if (statOf(real)?.isFile() !== true) return undefined;
    return readFirst(real, MAX_BYTES);
  } catch {
    return undefined;
  }
}

function readFirst(path: string, bytes: number): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return cutBytes(buffer.subarray(0, readSync(file, buffer, 0, bytes, 0)).toString(), bytes);
  } finally {
    closeSync(file);
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Not more than the limit, and no half of a character. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  // The bytes behind the first of a character begin with 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWithin } from './read-within.js';

const NAME = 'AGENTS.md';
/** Of all files together. */
const MAX_BYTES = 32_768;

/** `AGENTS.md` from the repository's root down to the workspace. What lies outside of the repository is not read. */
export function readProjectDoc(workspace: string): string {
  const folders = chain(workspace);
  const root = folders[0] ?? workspace;
  const texts = folders.flatMap((folder) => {
    const text = readWithin(join(folder, NAME), root, MAX_BYTES)?.toString().trim() ?? '';
    return text === '' ? [] : [text];
  });
  return cutBytes(texts.join('\n\n'), MAX_BYTES);
}

/** From the repository's root down to the workspace; the workspace alone, if it is in none. */
function chain(workspace: string): string[] {
  const folders = [workspace];
  for (let folder = workspace; !existsSync(join(folder, '.git'));) {
    const parent = dirname(folder);
    if (parent === folder) return [workspace];
    folders.push((folder = parent));
  }
  return folders.toReversed();
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

import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { FileChange } from '../rollout/lines.js';
import { netChanges } from './undo.js';

/** What all turns did to files, as a unified diff against what the files hold now. */
export async function sessionDiff(changes: readonly FileChange[], beforeDir: string, cwd: string): Promise<string> {
  const patches = await Promise.all(
    netChanges(changes).map(async ({ path, before }) => {
      const name = relative(cwd, path);
      const [old, now] = await Promise.all([
        textOf(before === null ? undefined : join(beforeDir, before)),
        textOf(path),
      ]);
      return old === now ? '' : createTwoFilesPatch(`a/${name}`, `b/${name}`, old, now);
    }),
  );
  return patches.join('');
}

/** Empty, if there is no such file. */
async function textOf(path: string | undefined): Promise<string> {
  return path === undefined ? '' : readFile(path, 'utf8').catch(() => '');
}

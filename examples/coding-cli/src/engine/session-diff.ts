import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Difference, differenceOf } from 'responses-loop-example-shared/file-difference.js';
import type { FileChange } from '../rollout/lines.js';
import { netChanges } from './undo.js';

/** What all turns did to a file. */
export interface FileDifference extends Difference {
  readonly name: string;
}

/** What all turns did to files, against what the files hold now. */
export async function sessionDiff(
  changes: readonly FileChange[],
  beforeDir: string,
  cwd: string,
): Promise<readonly FileDifference[]> {
  const differences = await Promise.all(
    netChanges(changes).map(async ({ path, before }) => {
      const name = relative(cwd, path);
      const texts = [await textOf(before === null ? undefined : join(beforeDir, before)), await textOf(path)] as const;
      const difference = texts[0] === texts[1] ? undefined : differenceOf([name, name], texts);
      return difference === undefined ? [] : [{ name, ...difference }];
    }),
  );
  return differences.flat();
}

/** Empty, if there is no such file. */
async function textOf(path: string | undefined): Promise<string> {
  return path === undefined ? '' : readFile(path, 'utf8').catch(() => '');
}

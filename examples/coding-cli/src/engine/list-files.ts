import type { PathGuardOptions } from 'responses-loop-example-shared/path-guard.js';
import { runFileJob } from '../jobs/run.js';
import { LIMITS } from './limits.js';

export interface ListFilesOptions {
  readonly workspace: string;
  /** Further patterns as in `.gitignore`. */
  readonly ignore: readonly string[];
  readonly guard: PathGuardOptions;
}

const MOST = 20_000;

/** Files of the workspace that no rule ignores, the newest first. */
export async function listFiles({ workspace, ignore, guard }: ListFilesOptions): Promise<readonly string[]> {
  const input = { folder: workspace, pattern: '**/*', guard, isOpened: false, ignore, maxFiles: MOST };
  const { files } = await runFileJob('findFiles', input, { extra: { fileToolMs: LIMITS.fileToolMs } });
  return files;
}

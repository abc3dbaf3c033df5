import { EXIT, type ExitCode } from './exit-codes.js';
import type { GlobalOptions } from './options.js';
import { say, write, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

export interface PruneCommandOptions extends GlobalOptions {
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly keep?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Deletes old sessions. */
export async function prune(options: PruneCommandOptions): Promise<ExitCode> {
  const { olderThan: olderThanMs, keep, dryRun: isDryRun = false } = options;
  return withStoredSessions(options, async (agent) => {
    const pruned = await agent.prune({ olderThanMs, keep, isDryRun });
    if (options.json === true) writeJson(pruned);
    else {
      for (const id of pruned.deleted) write(`${id}\n`);
      say(`agent: ${pruned.deleted.length} sessions ${isDryRun ? 'would be' : 'are'} deleted`);
      if (pruned.busy.length > 0) say(`agent: ${pruned.busy.length} are in use and stay: ${pruned.busy.join(', ')}`);
    }
    return EXIT.done;
  });
}

import { realpathSync } from 'node:fs';
import { dataDirOf } from '../config/folders.js';
import { listSessions, summaryOf } from '../rollout/list.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { GlobalOptions } from './options.js';
import { brief, write, writeJson } from './say.js';

export interface SessionsOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly all?: boolean;
}

/** Newest first. */
export async function sessions({ json, all, cd }: SessionsOptions): Promise<ExitCode> {
  const folder = realpathSync(cd ?? process.cwd());
  const found = listSessions(dataDirOf(process.env))
    .map(summaryOf)
    .filter((summary) => summary !== undefined)
    .filter(({ cwd }) => all === true || cwd === folder);
  if (json === true) writeJson(found);
  else if (found.length === 0) write(`No sessions${all === true ? '' : ` in ${folder}`} yet.\n`);
  else {
    for (const { id, created_at, cwd, turns, title } of found) {
      const where = all === true ? `  ${cwd}` : '';
      write(
        `${id.slice(0, 8)}  ${created_at.slice(0, 16).replace('T', ' ')}  ${turns} ${turns === 1 ? 'turn' : 'turns'}${where}  ${brief(title, 60)}\n`,
      );
    }
  }
  return EXIT.done;
}

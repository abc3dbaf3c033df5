import { realpathSync } from 'node:fs';
import { type ListedSession, listSessions, summaryOf, type SessionSummary } from '../rollout/list.js';
import { CommandError, EXIT } from './exit-codes.js';
import type { SessionChoice } from './options.js';

export interface FoundSession extends ListedSession {
  readonly summary: SessionSummary | undefined;
}

/** The session that is meant; `undefined`, if a new one is. */
export function chosenSession(dataDir: string, choice: SessionChoice, cwd: string): FoundSession | undefined {
  if (choice.resume !== undefined) return findSession(dataDir, choice.resume);
  return choice.last === true ? lastSession(dataDir, cwd) : undefined;
}

/** By the beginning of its id, of whatever folder. */
export function findSession(dataDir: string, prefix: string): FoundSession {
  const fitting = listSessions(dataDir).filter(({ id }) => prefix !== '' && id.startsWith(prefix.toLowerCase()));
  const [session] = fitting;
  if (session === undefined) throw new CommandError(EXIT.session, `There is no session ${prefix}.`);
  if (fitting.length > 1) {
    const ids = fitting.map(({ id }) => id).join(', ');
    throw new CommandError(EXIT.session, `${prefix} could be ${fitting.length} sessions: ${ids}.`);
  }
  return { ...session, summary: summaryOf(session) };
}

/** The one of this folder that was used last. */
function lastSession(dataDir: string, cwd: string): FoundSession {
  const folder = realpathSync(cwd);
  for (const session of listSessions(dataDir)) {
    const summary = summaryOf(session);
    if (summary?.cwd === folder) return { ...session, summary };
  }
  throw new CommandError(EXIT.session, `${folder} has no sessions yet.`);
}

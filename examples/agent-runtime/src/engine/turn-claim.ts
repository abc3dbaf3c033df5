import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnAttempt } from 'responses-loop-example-shared/engine/types.js';
import type { AgentPersister, SessionData } from '../types/persister.js';

/** Whom a session belongs to while the engine has a turn of it: no process may take it over, however long that takes. */
const OWNER = 'engine';
const FOREVER = '9999-12-31T00:00:00.000Z';
const WAIT_MS = 100;

/** A session as a turn of the engine keeps it. */
export function ofEngine(session: SessionData): SessionData {
  return { ...session, owner: OWNER, heartbeat: session.state === 'active' ? FOREVER : null };
}

/** Takes a session for a turn, once no process edits it. False: the turn was stopped before. */
export async function claimForTurn(persister: AgentPersister, attempt: TurnAttempt): Promise<boolean> {
  while (!attempt.signal.aborted) {
    if (await attempt.guarded(() => isClaimed(persister, attempt.stream))) return true;
    await sleep(WAIT_MS);
  }
  return false;
}

/** A session that is over or gone is claimed by nobody: the turn finds that out by itself. */
async function isClaimed(persister: AgentPersister, id: string): Promise<boolean> {
  const claim = await persister.claimSession?.(id, { owner: OWNER });
  const session = claim?.outcome === 'claimed' ? await persister.getSession(id) : null;
  if (session !== null) await persister.saveSession(ofEngine(session));
  return claim?.outcome !== 'busy';
}

/** A session whose turn ended without a word of its own. */
export async function releaseFromTurn(persister: AgentPersister, attempt: TurnAttempt): Promise<void> {
  await attempt.guarded(async () => {
    const session = await persister.getSession(attempt.stream);
    if (session?.state !== 'active' || session.owner !== OWNER) return;
    await persister.saveSession(ofEngine({ ...session, state: 'idle' }));
  });
}

import type { AdapterMessage, StoredMessage } from '../types/messages.js';
import type { AgentPersister, SessionData } from '../types/persister.js';
import { interruptedResult, openCalls } from './open-calls.js';
import { Transcript } from './transcript.js';

const CUT_OFF = 'The turn was cut off: the program ended while it ran.';
/** Of a session whose keeper knows no claims. */
const STALE_MS = 20_000;

/** The rows that end a turn whose process died: a result for each open call, and a note. */
export function cutOffRows(messages: readonly StoredMessage[]): AdapterMessage[] {
  const results = openCalls(messages).map(interruptedResult);
  // A process that died while it wrote these rows may have written the note already.
  if (results.length === 0 && messages.at(-1)?.metadata?.kind === 'cut_off') return [];
  return [...results, { type: 'system', content: CUT_OFF, metadata: { kind: 'cut_off' } }];
}

/** Ends the turn of a session that is active although its process is gone. */
export async function endCutOffTurn(persister: AgentPersister, session: SessionData): Promise<void> {
  const found = await takeOver(persister, session);
  if (found === 'busy') return;
  const rows = found === 'cut off' ? await newRows(persister, session.id) : [];
  await persister.saveMessages(session.id, rows);
  const { owner: _owner, heartbeat: _heartbeat, ...data } = (await persister.getSession(session.id)) ?? session;
  await persister.saveSession({ ...data, state: 'idle' });
}

async function newRows(persister: AgentPersister, id: string): Promise<StoredMessage[]> {
  const transcript = new Transcript(await persister.getMessages(id));
  return cutOffRows(transcript.held).map((row) => transcript.append(row, transcript.lastTurn, crypto.randomUUID()));
}

/** `over`: another process has ended the turn since the session was read. */
async function takeOver(persister: AgentPersister, session: SessionData): Promise<'busy' | 'cut off' | 'over'> {
  if (persister.claimSession !== undefined) {
    const claim = await persister.claimSession(session.id);
    if (claim.outcome !== 'claimed') return 'busy';
    return claim.wasActive ? 'cut off' : 'over';
  }
  const { heartbeat } = session;
  const isStale = heartbeat === undefined || heartbeat === null || Date.now() - Date.parse(heartbeat) > STALE_MS;
  return isStale ? 'cut off' : 'busy';
}

import { viewOfSession } from '../http/views.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { findSession } from './find-session.js';
import type { GlobalOptions } from './options.js';
import { say, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

export interface ForkCommandOptions extends GlobalOptions {
  readonly turn?: number;
  readonly title?: string;
  readonly json?: boolean;
}

/** A new session that begins as another did. */
export async function fork(prefix: string, options: ForkCommandOptions): Promise<ExitCode> {
  return withStoredSessions(options, async (agent) => {
    const { id } = await findSession(agent, prefix);
    const session = await agent.forkSession(id, { turn: options.turn, summary: options.title });
    if (options.json === true) writeJson(viewOfSession(session));
    else say(`agent: session ${session.id} (new), with ${session.getMessages().length} messages of ${id.slice(0, 8)}`);
    return EXIT.done;
  });
}

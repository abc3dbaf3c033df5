import { EXIT, type ExitCode } from './exit-codes.js';
import { findSession } from './find-session.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

/** A session and all that was said in it. */
export async function deleteSession(prefix: string, options: GlobalOptions): Promise<ExitCode> {
  return withStoredSessions(options, async (agent) => {
    const { id } = await findSession(agent, prefix);
    await agent.deleteSession(id);
    say(`agent: session ${id} is deleted`);
    return EXIT.done;
  });
}

import { viewOfMessage } from '../http/views.js';
import type { StoredMessage } from '../types/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { loadSession } from './find-session.js';
import type { GlobalOptions } from './options.js';
import { brief, say, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

/** Takes the last turn of a session back. */
export async function pop(prefix: string, options: GlobalOptions & { readonly json?: boolean }): Promise<ExitCode> {
  return withStoredSessions(options, async (agent) => {
    const rows = await (await loadSession(agent, prefix)).pop();
    if (options.json === true) writeJson({ items: rows.map(viewOfMessage) });
    else say(takenBackLine(rows));
    return EXIT.done;
  });
}

export function takenBackLine(rows: readonly StoredMessage[]): string {
  const said = rows.find(({ type }) => type === 'user')?.content ?? '';
  return `agent: turn ${rows[0]?.turn} was undone: ${brief(said)}`;
}

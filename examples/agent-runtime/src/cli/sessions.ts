import { viewOfData } from '../http/views.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { GlobalOptions, PageOptions } from './options.js';
import { brief, say, write, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

/** Newest activity first. */
export async function sessions(options: GlobalOptions & PageOptions & { readonly json?: boolean }): Promise<ExitCode> {
  const { limit, offset, search } = options;
  const { items: page, total } = await withStoredSessions(options, (agent) =>
    agent.listSessions({ limit, offset, search }),
  );
  const items = page.map(viewOfData);
  if (options.json === true) {
    writeJson({ items, total });
    return EXIT.done;
  }
  for (const { id, lastActivity, state, messageCount, summary } of items) {
    const when = lastActivity.slice(0, 16).replace('T', ' ');
    write(
      `${id.slice(0, 8)}  ${when}  ${state.padEnd(9)} ${String(messageCount).padStart(5)}  ${brief(summary ?? '', 60)}\n`,
    );
  }
  say(`${items.length} of ${total} sessions`);
  return EXIT.done;
}

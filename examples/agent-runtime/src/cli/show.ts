import { viewOfMessage, viewOfSession, type MessageView } from '../http/views.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { loadSession } from './find-session.js';
import type { GlobalOptions } from './options.js';
import { readable } from './readable.js';
import { brief, say, write, writeJson } from './say.js';
import { withStoredSessions } from './stored-sessions.js';

/** What was said and done. */
export async function show(
  id: string,
  options: GlobalOptions & { readonly json?: boolean; readonly latest?: number },
): Promise<ExitCode> {
  return withStoredSessions(options, async (agent) => {
    const found = await loadSession(agent, id);
    const session = viewOfSession(found);
    const messages = found.getMessages(options.latest).map(viewOfMessage);
    if (options.json === true) writeJson({ session, messages });
    else {
      say(`${session.id}  ${session.state}  ${session.messageCount} messages  ${session.usage.used} tokens`);
      for (const message of messages) write(`${lineOf(message)}\n`);
    }
    return EXIT.done;
  });
}

function lineOf({ seq, type, content, toolName, toolInput, toolResult }: MessageView): string {
  const place = String(seq).padStart(4);
  if (type !== 'tool') return `${place}  ${type.padEnd(6)}  ${content}`;
  const said =
    toolInput === undefined
      ? `answered: ${brief(readable(toolResult ?? content))}`
      : brief(JSON.stringify(toolInput) ?? '');
  return `${place}  ${type.padEnd(6)}  ${toolName ?? ''} ${said}`;
}

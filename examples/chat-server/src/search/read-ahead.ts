import type { SessionStore } from '../store/session-store.js';
import type { ChatTexts } from './chat-texts.js';

/** What is kept in memory before anybody searches has a bound. */
const MAX_CHATS = 500;

/** Reads the texts of the newest chats, so that the first search need not. What cannot be read now, the search reads. */
export async function readAhead(
  sessions: Pick<SessionStore, 'list'>,
  texts: Pick<ChatTexts, 'textOf'>,
  signal: AbortSignal,
): Promise<void> {
  const newest = (await sessions.list().catch(() => [])).slice(0, MAX_CHATS);
  for (const session of newest) {
    if (signal.aborted) return;
    await texts.textOf(session).catch(() => {});
  }
}

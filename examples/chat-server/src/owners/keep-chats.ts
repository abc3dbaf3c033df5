import type { Owners } from 'responses-loop-example-shared/engine/owners.js';

/** After this time without a request a chat is given back, if nothing of it goes on. */
const IDLE_MS = 5 * 60_000;
const LOOK_MS = 30_000;

/** What this server has of a chat beside what is stored. */
export interface ChatsInMemory {
  /** Whether something of it goes on here, such as a turn or a terminal. */
  isInUse(chat: string): boolean;
  /** Ends what goes on, and forgets the rest. */
  leaveChat(chat: string): Promise<void>;
}

/** Ends here what another server may have by now, and gives back what nobody uses. Returns what ends that. */
export function keepChats(owners: Owners, chats: ChatsInMemory, idleMs = IDLE_MS): () => void {
  const off = owners.onLost((chat) => chats.leaveChat(chat));
  const look = (): void => {
    for (const chat of owners.idleFor(idleMs)) {
      // What could not be given back is taken once this server is gone.
      if (!chats.isInUse(chat)) owners.release(chat, () => chats.leaveChat(chat)).catch(() => {});
    }
  };
  const timer = setInterval(look, Math.min(LOOK_MS, idleMs)).unref();
  return () => {
    off();
    clearInterval(timer);
  };
}

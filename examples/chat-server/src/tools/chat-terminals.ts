import { type TerminalLimits, TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';

const LIMITS: Partial<TerminalLimits> = { idleMs: 10 * 60_000 };
/** Of all chats together. */
const MAX_OPEN = 32;

/** Terminals that live on between calls, of each chat its own. */
export class ChatTerminals {
  readonly #chats = new Map<string, TerminalSessions>();
  #isClosed = false;

  /** Those of a chat. @throws Error if the server ends. */
  of(chat: string): TerminalSessions {
    if (this.#isClosed) throw new Error('The server ends.');
    const terminals = this.#chats.get(chat) ?? new TerminalSessions(LIMITS);
    this.#chats.set(chat, terminals);
    return terminals;
  }

  /** For a question about a text that goes there. */
  find(chat: string, id: number): ReturnType<TerminalSessions['find']> {
    return this.#chats.get(chat)?.find(id);
  }

  isOpen(chat: string): boolean {
    return (this.#chats.get(chat)?.open.length ?? 0) > 0;
  }

  /** @throws Error for the model. */
  checkRoom(): void {
    const open = [...this.#chats.values()].reduce((sum, terminals) => sum + terminals.open.length, 0);
    if (open >= MAX_OPEN) throw new Error(`${MAX_OPEN} terminals are open in all chats, and there may be no more.`);
  }

  /** Ends those of a chat whose turn was stopped, whatever the turn did then. */
  stop(chat: string): void {
    void this.#chats.get(chat)?.endAll();
  }

  async endChat(chat: string): Promise<void> {
    const terminals = this.#chats.get(chat);
    this.#chats.delete(chat);
    await terminals?.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#chats.keys()].map((chat) => this.endChat(chat)));
  }
}

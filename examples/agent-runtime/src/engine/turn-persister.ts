import type { TurnAttempt } from 'responses-loop-example-shared/engine/types.js';
import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, MessagePage, SessionData, SessionPage, SessionQuery } from '../types/persister.js';
import { ofEngine } from './turn-claim.js';

export interface TurnPersisterOptions {
  readonly attempt: TurnAttempt;
  readonly persister: AgentPersister;
  /** The rows that earlier attempts have kept. */
  readonly kept: readonly StoredMessage[];
  /** The place of the last row before the turn. */
  readonly lastSeq: number;
}

/**
 * Keeps the rows of a turn that may be begun several times: each row once, under an id that is the same in every attempt. A
 * text waits until the round that it belongs to is recorded, which it is when a call or the end follows; a round that is not
 * recorded is asked again, and says something else.
 */
export class TurnPersister implements AgentPersister {
  readonly #options: TurnPersisterOptions;
  readonly #ids: Set<string>;
  readonly #counts = new Map<string, number>();
  #waiting: StoredMessage[] = [];
  #lastSeq: number;

  constructor(options: TurnPersisterOptions) {
    const { kept, lastSeq } = options;
    this.#options = options;
    this.#ids = new Set(kept.map(({ id }) => id));
    this.#lastSeq = kept.at(-1)?.seq ?? lastSeq;
  }

  async saveMessage(sessionId: string, message: StoredMessage): Promise<void> {
    await this.saveMessages(sessionId, [message]);
  }

  async saveMessages(sessionId: string, messages: StoredMessage[]): Promise<void> {
    this.#waiting.push(...messages);
    const last = this.#waiting.findLastIndex(({ type }) => type !== 'agent');
    await this.#write(sessionId, this.#waiting.splice(0, last + 1));
  }

  async saveSession(session: SessionData): Promise<void> {
    const { attempt, persister } = this.#options;
    if (session.state !== 'active') await this.#write(session.id, this.#waiting.splice(0));
    await attempt.guarded(() => persister.saveSession(ofEngine(session)));
  }

  async #write(sessionId: string, messages: readonly StoredMessage[]): Promise<void> {
    const { attempt, persister } = this.#options;
    const rows = messages.map((row) => ({ ...row, id: this.#idOf(row) })).filter(({ id }) => !this.#ids.has(id));
    if (rows.length === 0) return;
    const placed = rows.map((row) => ({ ...row, seq: (this.#lastSeq += 1) }));
    for (const { id } of placed) this.#ids.add(id);
    await attempt.guarded(() => persister.saveMessages(sessionId, placed));
  }

  /** Which row of its kind it is: results of tools that run side by side come in any order. */
  #idOf({ type, isToolUse, toolId, metadata }: StoredMessage): string {
    const { kind, approvalId } = metadata ?? {};
    const what = [type, kind, isToolUse, toolId, approvalId].filter((part) => part !== undefined).join('/');
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return `${this.#options.attempt.id}/${what}/${count}`;
  }

  getSession(id: string): Promise<SessionData | null> {
    return this.#options.persister.getSession(id);
  }

  getAllSessions(): Promise<SessionData[]> {
    return this.#options.persister.getAllSessions();
  }

  listSessions(query: SessionQuery): Promise<SessionPage> {
    return this.#options.persister.listSessions(query);
  }

  createSession(session: SessionData, messages: readonly StoredMessage[]): Promise<void> {
    return this.#options.persister.createSession(session, messages);
  }

  deleteSession(id: string): Promise<void> {
    return this.#options.persister.deleteSession(id);
  }

  getMessages(sessionId: string, page?: MessagePage): Promise<StoredMessage[]> {
    return this.#options.persister.getMessages(sessionId, page);
  }

  deleteMessages(sessionId: string): Promise<void> {
    return this.#options.persister.deleteMessages(sessionId);
  }

  getMessageCount(sessionId: string): Promise<number> {
    return this.#options.persister.getMessageCount(sessionId);
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}

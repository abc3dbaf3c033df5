import type { StoredMessage } from '../types/messages.js';
import type {
  AgentPersister,
  MessagePage,
  ClaimedSession,
  SessionClaim,
  SessionData,
  SessionPage,
  SessionQuery,
} from '../types/persister.js';
import { checkRows, checkSession, idTaken, placeTaken, sessionGone } from './acceptable.js';
import { lowerAscii, storable } from './search-text.js';

interface Kept {
  session: SessionData;
  readonly messages: Map<string, StoredMessage>;
}

/** Keeps sessions as long as the process lives. */
export function createMemoryPersister(): AgentPersister {
  return new MemoryPersister();
}

class MemoryPersister implements AgentPersister {
  readonly #sessions = new Map<string, Kept>();
  readonly #deleted = new Set<string>();
  readonly #claims = new Set<string>();
  /** The session of each row: ids are unique over all. */
  readonly #owners = new Map<string, string>();

  async saveSession(session: SessionData): Promise<void> {
    checkSession(session);
    const { id, state } = session;
    if (this.#deleted.has(id)) return;
    const data = structuredClone(session);
    const kept = this.#sessions.get(id);
    if (kept === undefined) this.#sessions.set(id, { session: data, messages: new Map() });
    else kept.session = data;
    if (state !== 'active') this.#claims.delete(id);
  }

  async createSession(session: SessionData, messages: readonly StoredMessage[]): Promise<void> {
    const { id } = session;
    if (this.#sessions.has(id) || this.#deleted.has(id)) throw idTaken(id);
    await this.saveSession(session);
    try {
      await this.saveMessages(id, [...messages]);
    } catch (error) {
      this.#sessions.delete(id);
      throw error;
    }
  }

  async getSession(id: string): Promise<SessionData | null> {
    const kept = this.#sessions.get(id);
    return kept === undefined ? null : dataOf(kept);
  }

  async getAllSessions(): Promise<SessionData[]> {
    return (await this.listSessions()).items;
  }

  async listSessions(query: SessionQuery = {}): Promise<SessionPage> {
    const { limit, offset = 0, ...wanted } = storable(query);
    const found = [...this.#sessions.values()].filter((kept) => matches(kept, wanted)).toReversed();
    const inOrder = found.toSorted(({ session: one }, { session: other }) =>
      one.lastActivity === other.lastActivity ? 0 : one.lastActivity < other.lastActivity ? 1 : -1,
    );
    const page = inOrder.slice(offset, limit === undefined ? undefined : offset + limit);
    return { items: page.map(dataOf), total: found.length };
  }

  async deleteSession(id: string): Promise<void> {
    await this.deleteMessages(id);
    this.#sessions.delete(id);
    this.#deleted.add(id);
    this.#claims.delete(id);
  }

  async saveMessage(sessionId: string, message: StoredMessage): Promise<void> {
    return this.saveMessages(sessionId, [message]);
  }

  async saveMessages(sessionId: string, rows: StoredMessage[]): Promise<void> {
    if (rows.length === 0) return;
    const kept = this.#sessions.get(sessionId);
    if (kept === undefined) throw sessionGone(sessionId);
    checkRows(sessionId, rows);
    // All of them, or none.
    const added = new Map<string, StoredMessage>();
    const places = new Set([...kept.messages.values()].map(({ seq }) => seq));
    for (const row of rows) {
      if (kept.messages.has(row.id) || added.has(row.id)) continue;
      const owner = this.#owners.get(row.id);
      if (owner !== undefined && owner !== sessionId) throw placeTaken(sessionId, row, 'id');
      if (places.has(row.seq)) throw placeTaken(sessionId, row, 'seq');
      places.add(row.seq);
      added.set(row.id, structuredClone(row));
    }
    for (const [id, row] of added) {
      kept.messages.set(id, row);
      this.#owners.set(id, sessionId);
    }
  }

  async getMessages(sessionId: string, { after, limit }: MessagePage = {}): Promise<StoredMessage[]> {
    const rows = [...(this.#sessions.get(sessionId)?.messages.values() ?? [])];
    const inOrder = rows.filter(({ seq }) => after === undefined || seq > after).toSorted((a, b) => a.seq - b.seq);
    return structuredClone(inOrder.slice(0, limit));
  }

  async deleteMessages(sessionId: string): Promise<void> {
    const messages = this.#sessions.get(sessionId)?.messages;
    for (const id of messages?.keys() ?? []) this.#owners.delete(id);
    messages?.clear();
  }

  async getMessageCount(sessionId: string): Promise<number> {
    return this.#sessions.get(sessionId)?.messages.size ?? 0;
  }

  async claimSession(id: string, { after }: ClaimedSession = {}): Promise<SessionClaim> {
    const kept = this.#sessions.get(id);
    if (kept === undefined) return { outcome: 'deleted' };
    const { state } = kept.session;
    if (state === 'completed' || state === 'aborted') return { outcome: 'closed', state };
    if (this.#claims.has(id)) return { outcome: 'busy' };
    this.#claims.add(id);
    kept.session = { ...kept.session, state: 'active' };
    const news = after !== undefined && { hasNews: [...kept.messages.values()].some(({ seq }) => seq > after) };
    return { outcome: 'claimed', wasActive: state === 'active', ...news };
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}

function matches({ session, messages }: Kept, { search, idPrefix, state }: SessionQuery): boolean {
  if (idPrefix !== undefined && !session.id.startsWith(idPrefix)) return false;
  if (state !== undefined && session.state !== state) return false;
  if (search === undefined) return true;
  const texts = [session.summary ?? '', ...[...messages.values()].map(({ content }) => content)];
  return texts.some((text) => lowerAscii(text).includes(search));
}

function dataOf({ session, messages }: Kept): SessionData {
  return { ...structuredClone(session), messageCount: messages.size };
}

import { AgentError } from '../core/agent-error.js';
import { isKeepable } from '../core/plain-json.js';
import type { StoredMessage } from '../types/messages.js';
import type {
  AgentPersister,
  MessagePage,
  SessionClaim,
  SessionData,
  SessionPage,
  SessionQuery,
} from '../types/persister.js';
import { checkRows, checkSession, idTaken, sessionGone, withoutRepeats } from './acceptable.js';
import { Lanes } from './lanes.js';
import { isAlive, newOwner } from './owner.js';
import { withRetries } from './retries.js';
import { toSessionRow } from './rows.js';
import { storable } from './search-text.js';
import type { KeptSession, SessionStore } from './store.js';

const HEARTBEAT_MS = 5000;
/** The one lane of a store that does one thing at a time. */
const ONLY_LANE = '';

export interface StoreOptions {
  /** Called when the store is needed, and again if it failed. */
  readonly open: () => Promise<SessionStore>;
  /** The store does one thing at a time: then all wait for each other, else only what concerns the same session. */
  readonly isSerial: boolean;
}

/** The rules of sessions over a database that several processes may use at once. */
export class StorePersister implements AgentPersister {
  readonly #options: StoreOptions;
  readonly #owner = newOwner();
  readonly #lanes = new Lanes();
  #opened: Promise<SessionStore> | undefined;
  #isClosed = false;
  /** Sessions that were deleted here: what is still on its way does not bring them back. */
  readonly #deleted = new Set<string>();
  /** Sessions that were there once: if one is not any more, another process deleted it. */
  readonly #known = new Set<string>();
  readonly #claims = new Set<string>();
  /** Rows that could not be written, and were not since. */
  readonly #failed = new Map<string, StoredMessage>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    await this.#open();
  }

  saveSession(session: SessionData): Promise<void> {
    return this.#do(session.id, async (store) => {
      checkSession(session);
      const { id, state } = session;
      if (this.#deleted.has(id)) return;
      if (!(await this.#keep(store, session))) return;
      this.#known.add(id);
      if (state !== 'active') this.#claims.delete(id);
    });
  }

  createSession(session: SessionData, rows: readonly StoredMessage[]): Promise<void> {
    // An attempt may have made it although its answer was lost.
    let hasTried = false;
    return this.#do(session.id, async (store) => {
      checkSession(session);
      checkRows(session.id, rows);
      const { id, owner = null, heartbeat = null } = session;
      const isThere = this.#deleted.has(id) || (await store.read(id)) !== undefined;
      if (isThere && !hasTried) throw idTaken(id);
      hasTried = true;
      if (!isThere) await store.make({ ...toSessionRow(session), owner, heartbeat }, withoutRepeats(rows));
      this.#known.add(id);
    });
  }

  getSession(id: string): Promise<SessionData | null> {
    return this.#ofSession(id, null, async (store) => {
      const found = await store.read(id);
      if (found === undefined) return null;
      this.#known.add(id);
      return { ...found.row, messageCount: await store.countMessages(id) };
    });
  }

  getAllSessions(): Promise<SessionData[]> {
    return this.listSessions().then(({ items }) => items);
  }

  listSessions(query: SessionQuery = {}): Promise<SessionPage> {
    return this.#do(undefined, async (store) => {
      const page = await store.list(storable(query));
      for (const { id } of page.items) this.#known.add(id);
      return page;
    });
  }

  deleteSession(id: string): Promise<void> {
    this.#deleted.add(id);
    return this.#ofSession(id, undefined, async (store) => {
      try {
        await store.delete(id);
      } catch (error) {
        this.#deleted.delete(id);
        throw error;
      }
      this.#claims.delete(id);
    });
  }

  saveMessage(sessionId: string, message: StoredMessage): Promise<void> {
    return this.saveMessages(sessionId, [message]);
  }

  saveMessages(sessionId: string, rows: StoredMessage[]): Promise<void> {
    const saved = this.#do(sessionId, async (store) => {
      if (rows.length === 0) return;
      if (this.#deleted.has(sessionId) || !isKeepable(sessionId)) throw sessionGone(sessionId);
      checkRows(sessionId, rows);
      await store.insertMessages(sessionId, withoutRepeats(rows));
    });
    saved.then(
      () => this.#note(rows, true),
      () => this.#note(rows, false),
    );
    return saved;
  }

  getMessages(sessionId: string, page: MessagePage = {}): Promise<StoredMessage[]> {
    return this.#ofSession(sessionId, [], (store) => store.messages(sessionId, page));
  }

  deleteMessages(sessionId: string): Promise<void> {
    return this.#ofSession(sessionId, undefined, (store) => store.deleteMessages(sessionId));
  }

  getMessageCount(sessionId: string): Promise<number> {
    return this.#ofSession(sessionId, 0, (store) => store.countMessages(sessionId));
  }

  claimSession(id: string, owner = this.#owner): Promise<SessionClaim> {
    // An attempt may have taken it although its answer was lost.
    let wasActive = false;
    return this.#ofSession<SessionClaim>(id, { outcome: 'deleted' }, async (store) => {
      const found = await store.read(id);
      if (found === undefined) return { outcome: 'deleted' };
      const { state, owner: holder } = found.row;
      if (state === 'completed' || state === 'aborted') return { outcome: 'closed', state };
      if (state === 'active' && isHeldByOthers(found, owner)) return { outcome: 'busy' };
      wasActive ||= state === 'active' && holder !== owner;
      // Only if it is still as it was read: another process may be claiming it, too.
      if (!(await store.claim(id, owner, found.row))) return { outcome: 'busy' };
      if (owner === this.#owner) {
        this.#claims.add(id);
        this.#beat();
      }
      return { outcome: 'claimed', wasActive };
    });
  }

  async flush(): Promise<void> {
    await this.#lanes.settled();
    if (this.#failed.size === 0) return;
    const unkept = [...this.#failed.values()];
    throw new AgentError('persist_failed', `Could not keep ${unkept.length} rows.`, { messages: unkept });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    clearInterval(this.#heartbeat);
    try {
      await this.flush();
    } finally {
      this.#isClosed = true;
      await (await this.#opened?.catch(() => undefined))?.close();
    }
  }

  #open(): Promise<SessionStore> {
    if (this.#isClosed) return Promise.reject(new AgentError('disposed', 'The database was closed.'));
    if (this.#opened === undefined) {
      this.#opened = this.#options.open();
      // What could not be opened now is tried again when it is asked for again.
      this.#opened.catch(() => {
        this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  /** A session that no store could keep is in none. */
  #ofSession<T>(id: string, otherwise: T, operation: (store: SessionStore) => Promise<T>): Promise<T> {
    return isKeepable(id) ? this.#do(id, operation) : Promise.resolve(otherwise);
  }

  #do<T>(id: string | undefined, operation: (store: SessionStore) => Promise<T>): Promise<T> {
    return this.#lanes.run(this.#options.isSerial ? ONLY_LANE : id, async () => {
      const store = await this.#open();
      try {
        return await withRetries(() => operation(store), {
          isPassing: (error) => store.isPassing(error),
          renew: () => store.renew(),
        });
      } catch (error) {
        throw error instanceof AgentError ? error : store.explain(error);
      }
    });
  }

  /** Writes the session, unless another process has taken it over: then what that one writes of it counts. */
  async #keep(store: SessionStore, session: SessionData): Promise<boolean> {
    const { id, state, owner = null, heartbeat = null } = session;
    const keepsOwner = state === 'active' && owner === null;
    const values = { ...toSessionRow(session), ...(keepsOwner ? {} : { owner, heartbeat }) };
    for (;;) {
      const found = await store.read(id);
      if (found === undefined) {
        if (this.#known.has(id)) throw sessionGone(id);
        if (await store.insert({ owner, heartbeat, ...values })) return true;
        continue;
      }
      const { state: before, owner: holder } = found.row;
      if (before === 'active' && owner === null && isHeldByOthers(found, this.#owner)) return false;
      if (await store.update(id, values, { state: before, owner: holder })) return true;
    }
  }

  #note(rows: readonly StoredMessage[], isKept: boolean): void {
    for (const row of rows) {
      if (isKept) this.#failed.delete(row.id);
      else this.#failed.set(row.id, row);
    }
  }

  /** Says again and again that this process lives, while it has a turn. */
  #beat(): void {
    this.#heartbeat ??= setInterval(() => {
      if (this.#claims.size > 0) this.#do(undefined, (store) => store.beat(this.#owner)).catch(() => {});
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }
}

function isHeldByOthers({ row: { owner, heartbeat }, now }: KeptSession, self: string): boolean {
  return owner !== self && isAlive(owner, heartbeat, now);
}

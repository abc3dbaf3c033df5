import { AgentError } from '../core/agent-error.js';
import { isKeepable } from '../core/plain-json.js';
import type { StoredMessage } from '../types/messages.js';
import type {
  AgentPersister,
  ClaimedSession,
  MessagePage,
  SessionClaim,
  SessionData,
  SessionPage,
  SessionQuery,
} from '../types/persister.js';
import { checkRows, checkSession, idTaken, sessionGone, withoutRepeats } from './acceptable.js';
import { Claims, isHeldByOthers, type SeenByAttempts } from './claims.js';
import { Lanes } from './lanes.js';
import { withRetries } from './retries.js';
import { toSessionRow } from './rows.js';
import { storable } from './search-text.js';
import type { SessionStore, SessionValues } from './store.js';

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
  readonly #lanes = new Lanes();
  #opened: Promise<SessionStore> | undefined;
  #isClosed = false;
  /** Sessions that were deleted here: what is still on its way does not bring them back. */
  readonly #deleted = new Set<string>();
  /** Sessions that were there once: if one is not any more, another process deleted it. */
  readonly #known = new Set<string>();
  readonly #claims = new Claims();
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
    return this.saveTurn(session, []);
  }

  saveTurn(session: SessionData, rows: readonly StoredMessage[]): Promise<void> {
    const { id, state } = session;
    // An attempt may have kept it although its answer was lost.
    let hasTried = false;
    const saved = this.#do(id, async (store) => {
      checkSession(session);
      checkRows(id, rows);
      if (this.#deleted.has(id)) return;
      const isRepeated = hasTried;
      hasTried = true;
      if (!(await this.#keepTurn(store, { session, rows, isRepeated }))) return;
      this.#known.add(id);
      if (state !== 'active') this.#claims.release(id);
    });
    this.#note(rows, saved);
    return saved;
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
      this.#claims.release(id);
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
      await store.write(sessionId, withoutRepeats(rows), await this.#claims.heldBy(store, sessionId));
    });
    this.#note(rows, saved);
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

  claimSession(id: string, claimed: ClaimedSession = {}): Promise<SessionClaim> {
    const isOwn = claimed.owner === undefined;
    const seen: SeenByAttempts = { wasActive: false };
    const result = this.#ofSession<SessionClaim>(id, { outcome: 'deleted' }, async (store) => {
      const claim = await this.#claims.claim(store, id, claimed, seen);
      if (claim.outcome === 'claimed' && isOwn) this.#beat();
      return claim;
    });
    result.catch(() => {
      if (isOwn) this.#claims.want(id);
    });
    return result;
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

  async #keepTurn(store: SessionStore, { session, rows, isRepeated }: KeptTurn): Promise<boolean> {
    const { id } = session;
    const held =
      session.owner === undefined || session.owner === null ? await this.#claims.heldBy(store, id) : undefined;
    if (held === undefined) {
      if (rows.length > 0) await store.write(id, withoutRepeats(rows));
      return this.#keep(store, session);
    }
    try {
      await store.write(id, withoutRepeats(rows), { ...held, values: valuesOf(session) });
    } catch (error) {
      const found = isRepeated ? await store.read(id) : undefined;
      if (found?.row.lastActivity !== session.lastActivity) throw error;
    }
    return true;
  }

  /** Writes the session, unless another process has taken it over: then what that one writes of it counts. */
  async #keep(store: SessionStore, session: SessionData): Promise<boolean> {
    const { id, owner = null, heartbeat = null } = session;
    const values = valuesOf(session);
    for (;;) {
      const found = await store.read(id);
      if (found === undefined) {
        if (this.#known.has(id)) throw sessionGone(id);
        if (await store.insert({ owner, heartbeat, ...values })) return true;
        continue;
      }
      const { state: before, owner: holder } = found.row;
      if (before === 'active' && owner === null && isHeldByOthers(found, this.#claims.owner)) return false;
      if (await store.update(id, values, { state: before, owner: holder })) return true;
    }
  }

  #note(rows: readonly StoredMessage[], saved: Promise<void>): void {
    saved.then(
      () => rows.forEach(({ id }) => this.#failed.delete(id)),
      () => rows.forEach((row) => this.#failed.set(row.id, row)),
    );
  }

  /** Says again and again that this process lives, while it has a turn. */
  #beat(): void {
    this.#heartbeat ??= setInterval(() => {
      if (!this.#claims.isEmpty) this.#do(undefined, (store) => store.beat(this.#claims.owner)).catch(() => {});
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }
}

interface KeptTurn {
  readonly session: SessionData;
  readonly rows: readonly StoredMessage[];
  readonly isRepeated: boolean;
}

/** A turn that goes on leaves the owner as it is. */
function valuesOf(session: SessionData): ReturnType<typeof toSessionRow> & Partial<SessionValues> {
  const { state, owner = null, heartbeat = null } = session;
  return { ...toSessionRow(session), ...(state === 'active' && owner === null ? {} : { owner, heartbeat }) };
}

import type { Client } from '@libsql/client';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { drizzle, type LibSQLDatabase } from 'drizzle-orm/libsql';

import { AgentError } from '../core/agent-error.js';
import type { StoredMessage } from '../types/messages.js';
import type {
  AgentPersister,
  MessagePage,
  SessionClaim,
  SessionData,
  SessionPage,
  SessionQuery,
} from '../types/persister.js';
import { checkRows, checkSession } from './acceptable.js';
import { brokenRule, withBusyRetries } from './busy.js';
import { openDatabase, renewConnection } from './open-database.js';
import { isAlive, newOwner } from './owner.js';
import { selectSessions } from './sqlite-sessions.js';
import { toMessage, toMessageRow, toSessionData, toSessionRow } from './rows.js';
import { messages, sessions } from './schema.js';

const HEARTBEAT_MS = 5000;
/** Rows of one statement; SQLite takes 32,766 values, and a row has 13. */
const ROWS_PER_INSERT = 1000;

/**
 * A row that is there already was written by an attempt that was thought to have failed, and stays as it is. One of another
 * session breaks the rule that a row has a place, and with it the whole batch.
 */
const SAME_ROW = {
  target: messages.id,
  set: { seq: sql`CASE WHEN ${messages.sessionId} = excluded.session_id THEN ${messages.seq} ELSE NULL END` },
};

/** Keeps sessions in `<workspace>/.agentx/data/agent.db`. Several processes may use it at once. */
export function createSqlitePersister({ workspace }: { readonly workspace: string }): AgentPersister {
  return new SqlitePersister(workspace);
}

interface Opened {
  readonly client: Client;
  readonly db: LibSQLDatabase;
}

class SqlitePersister implements AgentPersister {
  readonly #workspace: string;
  readonly #owner = newOwner();
  #opened: Promise<Opened> | undefined;
  #isClosed = false;
  /** One operation after the other, in the order they were asked for. */
  #last: Promise<unknown> = Promise.resolve();
  /** Sessions that were deleted here: what is still on its way does not bring them back. */
  readonly #deleted = new Set<string>();
  /** Sessions that were there once: if one is not any more, another process deleted it. */
  readonly #known = new Set<string>();
  readonly #claims = new Set<string>();
  /** Rows that could not be written, and were not since. */
  readonly #failed = new Map<string, StoredMessage>();
  #heartbeat: ReturnType<typeof setInterval> | undefined;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async open(): Promise<void> {
    await this.#open();
  }

  saveSession(session: SessionData): Promise<void> {
    return this.#do(async ({ db }) => {
      const { id, state, owner = null, heartbeat = null } = session;
      checkSession(session);
      if (this.#deleted.has(id)) return;
      const [before] = await db.select().from(sessions).where(eq(sessions.id, id));
      if (before === undefined && this.#known.has(id)) throw gone(id);
      // Another process has taken the session over; what it says of it counts.
      if (before?.state === 'active' && owner === null && this.#isHeldByOthers(before)) return;
      const isHeld = state === 'active' && owner === null;
      const held = isHeld
        ? { owner: before?.owner ?? null, heartbeat: before?.heartbeat ?? null }
        : { owner, heartbeat };
      const row = { ...toSessionRow(session), ...held };
      await db.insert(sessions).values(row).onConflictDoUpdate({ target: sessions.id, set: row });
      this.#known.add(id);
      if (state !== 'active') this.#claims.delete(id);
    });
  }

  getSession(id: string): Promise<SessionData | null> {
    return this.#do(async ({ db }) => {
      const [row] = await db.select().from(sessions).where(eq(sessions.id, id));
      if (row === undefined) return null;
      this.#known.add(id);
      return toSessionData(row, await countOf(db, id));
    });
  }

  getAllSessions(): Promise<SessionData[]> {
    return this.listSessions().then(({ items }) => items);
  }

  listSessions(query: SessionQuery = {}): Promise<SessionPage> {
    return this.#do(async ({ db }) => {
      const page = await selectSessions(db, query);
      for (const { id } of page.items) this.#known.add(id);
      return page;
    });
  }

  deleteSession(id: string): Promise<void> {
    this.#deleted.add(id);
    return this.#do(async ({ db }) => {
      try {
        await db.delete(sessions).where(eq(sessions.id, id));
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
    const saved = this.#do(async ({ client, db }) => {
      if (rows.length === 0) return;
      if (this.#deleted.has(sessionId)) throw gone(sessionId);
      checkRows(sessionId, rows);
      const inserts = chunksOf(rows).map((chunk) => {
        const values = chunk.map((message) => toMessageRow(sessionId, message));
        return db.insert(messages).values(values).onConflictDoUpdate(SAME_ROW).toSQL();
      });
      const statements = inserts.map(({ sql: text, params }) => ({ sql: text, args: params as never }));
      await translated(sessionId, () => client.batch(statements, 'write'));
    });
    saved.then(
      () => this.#note(rows, true),
      () => this.#note(rows, false),
    );
    return saved;
  }

  getMessages(sessionId: string, { after, limit }: MessagePage = {}): Promise<StoredMessage[]> {
    return this.#do(async ({ db }) => {
      const ofSession = eq(messages.sessionId, sessionId);
      const query = db
        .select()
        .from(messages)
        .where(after === undefined ? ofSession : and(ofSession, gt(messages.seq, after)))
        .orderBy(asc(messages.seq));
      return (await (limit === undefined ? query : query.limit(limit))).map(toMessage);
    });
  }

  deleteMessages(sessionId: string): Promise<void> {
    return this.#do(async ({ db }) => {
      await db.delete(messages).where(eq(messages.sessionId, sessionId));
    });
  }

  getMessageCount(sessionId: string): Promise<number> {
    return this.#do(({ db }) => countOf(db, sessionId));
  }

  claimSession(id: string): Promise<SessionClaim> {
    return this.#do(async ({ client, db }) => {
      const [row] = await db.select().from(sessions).where(eq(sessions.id, id));
      if (row === undefined) return { outcome: 'deleted' };
      const { state, owner, heartbeat } = row;
      if (state === 'completed' || state === 'aborted') return { outcome: 'closed', state };
      if (state === 'active' && this.#isHeldByOthers(row)) return { outcome: 'busy' };
      // Only if it is still as it was read: another process may be claiming it, too.
      const { rowsAffected } = await client.execute({
        sql: `UPDATE sessions SET state='active', owner=?, heartbeat=?
              WHERE id=? AND state=? AND owner IS ? AND heartbeat IS ?`,
        args: [this.#owner, new Date().toISOString(), id, state, owner, heartbeat],
      });
      if (rowsAffected === 0) return { outcome: 'busy' };
      this.#claims.add(id);
      this.#beat();
      return { outcome: 'claimed', wasActive: state === 'active' && owner !== this.#owner };
    });
  }

  async flush(): Promise<void> {
    await this.#last;
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
      (await this.#opened?.catch(() => undefined))?.client.close();
    }
  }

  #open(): Promise<Opened> {
    if (this.#isClosed) return Promise.reject(new AgentError('disposed', 'The database was closed.'));
    if (this.#opened === undefined) {
      this.#opened = openDatabase(this.#workspace).then((client) => ({ client, db: drizzle(client) }));
      // What could not be opened now is tried again when it is asked for again.
      this.#opened.catch(() => {
        this.#opened = undefined;
      });
    }
    return this.#opened;
  }

  #do<T>(operation: (opened: Opened) => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      const opened = await this.#open();
      return withBusyRetries(
        () => operation(opened),
        () => renewConnection(opened.client),
      );
    });
    this.#last = result.catch(() => {});
    return result;
  }

  #note(rows: readonly StoredMessage[], isKept: boolean): void {
    for (const row of rows) {
      if (isKept) this.#failed.delete(row.id);
      else this.#failed.set(row.id, row);
    }
  }

  #isHeldByOthers({ owner, heartbeat }: { readonly owner: string | null; readonly heartbeat: string | null }): boolean {
    return owner !== this.#owner && isAlive(owner, heartbeat);
  }

  /** Says again and again that this process lives, while it has a turn. */
  #beat(): void {
    this.#heartbeat ??= setInterval(() => {
      if (this.#claims.size === 0) return;
      this.#do(({ db }) =>
        db
          .update(sessions)
          .set({ heartbeat: new Date().toISOString() })
          .where(and(eq(sessions.owner, this.#owner), eq(sessions.state, 'active'))),
      ).catch(() => {});
    }, HEARTBEAT_MS);
    this.#heartbeat.unref();
  }
}

async function countOf(db: LibSQLDatabase, sessionId: string): Promise<number> {
  return db.$count(messages, eq(messages.sessionId, sessionId));
}

function chunksOf(rows: readonly StoredMessage[]): StoredMessage[][] {
  const chunks: StoredMessage[][] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
    chunks.push(rows.slice(start, start + ROWS_PER_INSERT));
  return chunks;
}

/** Says in our words which rule of the tables a write broke: trying again would not help. */
async function translated<T>(sessionId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const rule = brokenRule(error);
    if (rule === undefined) throw error;
    if (rule === 'session_gone') throw gone(sessionId);
    throw new AgentError(
      'persist_failed',
      `Session ${sessionId}: the database refuses a row: its id is that of another session's row, or its place (seq) is taken.`,
      { cause: error },
    );
  }
}

function gone(sessionId: string): AgentError {
  return new AgentError('session_deleted', `Session ${sessionId} was deleted.`);
}

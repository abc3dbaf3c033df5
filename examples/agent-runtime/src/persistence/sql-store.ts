import { and, asc, eq, gt, inArray, type Query, type SQL, sql } from 'drizzle-orm';
import { withoutValues } from 'responses-loop-example-shared/error-chain.js';

import { AgentError } from '../core/agent-error.js';
import type { StoredMessage } from '../types/messages.js';
import type { MessagePage, SessionPage, SessionQuery } from '../types/persister.js';
import { sessionGone, sessionLost } from './acceptable.js';
import { type NewMessageRow, toMessage, toMessageRow } from './rows.js';
import type { Dialect } from './sql-dialect.js';
import { selectSessions } from './sql-sessions.js';
import type { Held, KeptSession, Seen, SessionStore, SessionValues, Taken } from './store.js';

/** Every statement but those that make the tables. */
export class SqlStore implements SessionStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async read(id: string): Promise<KeptSession | undefined> {
    const { db, sessions, now } = this.#dialect;
    const [found] = await db.select({ row: sessions, now: now() }).from(sessions).where(eq(sessions.id, id));
    return found;
  }

  async insert(row: SessionValues): Promise<boolean> {
    const { db, sessions } = this.#dialect;
    const made = await db.insert(sessions).values(row).onConflictDoNothing().returning({ id: sessions.id });
    return made.length > 0;
  }

  async make(row: SessionValues, rows: readonly StoredMessage[]): Promise<void> {
    const { db, sessions } = this.#dialect;
    await this.#write(row.id, [db.insert(sessions).values(row).toSQL(), ...this.#inserts(row.id, rows)]);
  }

  async update(id: string, values: Partial<SessionValues>, seen: Seen): Promise<boolean> {
    return this.#change(id, values, seen);
  }

  async take(id: string, owner: string, after: number): Promise<Taken | undefined> {
    const { db, sessions, messages, heartbeat, isLazy, isAsAtStart } = this.#dialect;
    // A statement that waited for the end of a turn does not see the rows of that turn.
    const waits = and(eq(sessions.id, id), inArray(sessions.state, ['created', 'idle']), isAsAtStart(id), isLazy);
    const values = { state: 'active' as const, owner, heartbeat: heartbeat() };
    const news = sql`SELECT 1 FROM ${messages} WHERE ${messages.sessionId} = ${id} AND ${messages.seq} > ${after}`;
    const hasNews = sql`EXISTS (${news})`.mapWith(Boolean);
    const [taken] = await db.update(sessions).set(values).where(waits).returning({ hasNews });
    return taken;
  }

  async claim(id: string, owner: string, seen: Seen): Promise<boolean> {
    return this.#change(id, { state: 'active', owner, heartbeat: this.#dialect.heartbeat() }, seen);
  }

  async beat(owner: string): Promise<void> {
    const { db, sessions, heartbeat } = this.#dialect;
    const isInTurn = and(eq(sessions.owner, owner), eq(sessions.state, 'active'));
    await db.update(sessions).set({ heartbeat: heartbeat() }).where(isInTurn);
  }

  async delete(id: string): Promise<void> {
    const { db, sessions } = this.#dialect;
    await db.delete(sessions).where(eq(sessions.id, id));
  }

  list(query: SessionQuery): Promise<SessionPage> {
    return selectSessions(this.#dialect, query);
  }

  async write(sessionId: string, rows: readonly StoredMessage[], held?: Held): Promise<void> {
    if (held === undefined) {
      await this.#write(sessionId, this.#inserts(sessionId, rows));
      return;
    }
    const { sessions, locked } = this.#dialect;
    const isHeld = this.#isHeld(sessionId, held.owner);
    const id = sql<string>`(SELECT ${sessions.id} FROM ${sessions} WHERE ${isHeld}${locked})`;
    const statements =
      held.values === undefined
        ? this.#inserts(sessionId, rows, id)
        : this.#withSession(sessionId, rows, { id, isHeld, values: held.values });
    if ((await this.#write(sessionId, statements)) === 0) throw await this.#whyNotHeld(sessionId);
  }

  /** Rows, and the session as it is with them: in one statement, if the database takes that. */
  #withSession(sessionId: string, rows: readonly StoredMessage[], { id, isHeld, values }: HeldSession): Query[] {
    const { db, sessions, isNestable, rowsPerInsert } = this.#dialect;
    const update = db.update(sessions).set(values).where(isHeld);
    if (!isNestable || rows.length === 0 || rows.length > rowsPerInsert)
      return [...this.#inserts(sessionId, rows, id), update.toSQL()];
    const turn = db.$with('turn', {}).as(update.returning({ id: sessions.id }).getSQL());
    return this.#inserts(sessionId, rows, sql`(SELECT id FROM turn)`, db.with(turn));
  }

  #isHeld(sessionId: string, owner: string): SQL | undefined {
    const { sessions } = this.#dialect;
    return and(eq(sessions.id, sessionId), eq(sessions.owner, owner), eq(sessions.state, 'active'));
  }

  async #whyNotHeld(sessionId: string): Promise<AgentError> {
    return (await this.read(sessionId)) === undefined ? sessionGone(sessionId) : sessionLost(sessionId);
  }

  async #write(sessionId: string, statements: readonly Query[]): Promise<number> {
    const { write, brokenRule } = this.#dialect;
    try {
      return await write(statements);
    } catch (error) {
      const rule = brokenRule(error);
      if (rule === undefined) throw error;
      if (rule === 'session_gone') throw sessionGone(sessionId);
      if (rule === 'no_session') throw await this.#whyNotHeld(sessionId);
      throw new AgentError(
        'persist_failed',
        `Session ${sessionId}: the database refuses a row: its id is that of another session's row, or its place (seq) is taken.`,
        { cause: withoutValues(error) },
      );
    }
  }

  async messages(sessionId: string, { after, limit }: MessagePage): Promise<StoredMessage[]> {
    const { db, messages } = this.#dialect;
    const ofSession = eq(messages.sessionId, sessionId);
    const query = db
      .select()
      .from(messages)
      .where(after === undefined ? ofSession : and(ofSession, gt(messages.seq, after)))
      .orderBy(asc(messages.seq));
    return (await (limit === undefined ? query : query.limit(limit))).map(toMessage);
  }

  async deleteMessages(sessionId: string): Promise<void> {
    const { db, messages } = this.#dialect;
    await db.delete(messages).where(eq(messages.sessionId, sessionId));
  }

  async countMessages(sessionId: string): Promise<number> {
    const { db, messages } = this.#dialect;
    return db.$count(messages, eq(messages.sessionId, sessionId));
  }

  isPassing(error: unknown): boolean {
    return this.#dialect.isPassing(error);
  }

  renew(): Promise<void> {
    return this.#dialect.renew();
  }

  explain(error: unknown): unknown {
    return this.#dialect.explain(error);
  }

  close(): Promise<void> {
    return this.#dialect.close();
  }

  async #change(id: string, values: Changes, { state, owner, heartbeat }: Seen): Promise<boolean> {
    const { db, sessions } = this.#dialect;
    const isAsSeen = and(
      eq(sessions.id, id),
      eq(sessions.state, state),
      isSame(sessions.owner, owner),
      heartbeat === undefined ? undefined : isSame(sessions.heartbeat, heartbeat),
    );
    const changed = await db.update(sessions).set(values).where(isAsSeen).returning({ id: sessions.id });
    return changed.length > 0;
  }

  /**
   * A row that is there already was written by an attempt that was thought to have failed, and stays as it is. One of another
   * session breaks the rule that a row has a place, and with it the whole batch; so does the first row if `heldId` finds no
   * session that is the owner's: it has no session then.
   */
  #inserts(
    sessionId: string,
    rows: readonly StoredMessage[],
    heldId?: SQL<string>,
    into: Pick<Dialect['db'], 'insert'> = this.#dialect.db,
  ): Query[] {
    const { messages, rowsPerInsert } = this.#dialect;
    const seq = sql`CASE WHEN ${messages.sessionId} = excluded.session_id THEN ${messages.seq} ELSE NULL END`;
    const ofSession = (row: NewMessageRow, isFirst: boolean) =>
      isFirst && heldId !== undefined ? { ...row, sessionId: heldId } : row;
    return chunksOf(rows, rowsPerInsert).map((chunk) =>
      into
        .insert(messages)
        .values(chunk.map((message, index) => ofSession(toMessageRow(sessionId, message), index === 0)))
        .onConflictDoUpdate({ target: messages.id, set: { seq } })
        .toSQL(),
    );
  }
}

interface HeldSession {
  /** Finds the session's id, if it is held. */
  readonly id: SQL<string>;
  readonly isHeld: SQL | undefined;
  readonly values: Partial<SessionValues>;
}

type Changes = { readonly [Name in keyof SessionValues]?: SessionValues[Name] | SQL };
type NullableColumn = Dialect['sessions']['owner' | 'heartbeat'];

function isSame(column: NullableColumn, value: string | null): SQL {
  return value === null ? sql`${column} IS NULL` : eq(column, value);
}

function chunksOf<T>(rows: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < rows.length; start += size) chunks.push(rows.slice(start, start + size));
  return chunks;
}

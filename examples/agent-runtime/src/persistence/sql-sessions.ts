import { and, desc, eq, type SQL, sql } from 'drizzle-orm';

import type { SessionPage, SessionQuery } from '../types/persister.js';
import { toSessionData } from './rows.js';
import type { Dialect } from './sql-dialect.js';

const ALL = Number.MAX_SAFE_INTEGER;

/** A page of the sessions that match, newest activity first: the database selects, counts and cuts. */
export async function selectSessions(dialect: Dialect, query: SessionQuery): Promise<SessionPage> {
  const { db, sessions, messages, position } = dialect;
  const { limit = ALL, offset = 0 } = query;
  const where = and(...conditionsOf(dialect, query));
  const messageCount = db.$count(messages, eq(messages.sessionId, sessions.id));
  const total = sql<number>`count(*) OVER ()`.mapWith(Number);
  const rows = await db
    .select({ session: sessions, messageCount, total })
    .from(sessions)
    .where(where)
    .orderBy(desc(sessions.lastActivity), desc(position))
    .limit(limit)
    .offset(offset);
  const items = rows.map((row) => toSessionData(row.session, row.messageCount));
  const isEmptyPage = rows.length === 0 && (limit === 0 || offset > 0);
  return { items, total: isEmptyPage ? await db.$count(sessions, where) : (rows[0]?.total ?? 0) };
}

function conditionsOf(dialect: Dialect, { search, idPrefix, state }: SessionQuery): SQL[] {
  const { sessions, messages, beginsWith, contains } = dialect;
  const conditions: SQL[] = [];
  if (idPrefix !== undefined) conditions.push(beginsWith(sql`${sessions.id}`, idPrefix));
  if (state !== undefined) conditions.push(eq(sessions.state, state));
  if (search === undefined) return conditions;
  const isInRow = contains(sql`${messages.content}`, search);
  const inRows = sql`SELECT 1 FROM ${messages} WHERE ${messages.sessionId} = ${sessions.id} AND ${isInRow}`;
  const isInSummary = contains(sql`coalesce(${sessions.summary}, '')`, search);
  conditions.push(sql`(${isInSummary} OR EXISTS (${inRows}))`);
  return conditions;
}

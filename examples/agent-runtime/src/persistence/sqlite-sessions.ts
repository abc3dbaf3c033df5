import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';

import type { SessionPage, SessionQuery } from '../types/persister.js';
import { toSessionData } from './rows.js';
import { messages, sessions } from './schema.js';
import { lowerAscii } from './search-text.js';

const ALL = Number.MAX_SAFE_INTEGER;

/** A page of the sessions that match, newest activity first: the database selects, counts and cuts. */
export async function selectSessions(db: LibSQLDatabase, query: SessionQuery): Promise<SessionPage> {
  const { limit = ALL, offset = 0 } = query;
  const where = and(...conditionsOf(query));
  const messageCount = db.$count(messages, eq(messages.sessionId, sessions.id));
  const rows = await db
    .select({ session: sessions, messageCount })
    .from(sessions)
    .where(where)
    .orderBy(desc(sessions.lastActivity), desc(sql`sessions.rowid`))
    .limit(limit)
    .offset(offset);
  const items = rows.map((row) => toSessionData(row.session, row.messageCount));
  const isWhole = limit === ALL && offset === 0;
  return { items, total: isWhole ? items.length : await db.$count(sessions, where) };
}

function conditionsOf({ search, idPrefix, state }: SessionQuery): SQL[] {
  const conditions: SQL[] = [];
  if (idPrefix !== undefined) conditions.push(sql`substr(${sessions.id}, 1, ${idPrefix.length}) = ${idPrefix}`);
  if (state !== undefined) conditions.push(eq(sessions.state, state));
  if (search === undefined) return conditions;
  const wanted = lowerAscii(search);
  const inRows = sql`SELECT 1 FROM ${messages} WHERE ${messages.sessionId} = ${sessions.id} AND instr(lower(${messages.content}), ${wanted}) > 0`;
  conditions.push(sql`(instr(lower(coalesce(${sessions.summary}, '')), ${wanted}) > 0 OR EXISTS (${inRows}))`);
  return conditions;
}

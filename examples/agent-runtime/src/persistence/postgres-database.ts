import { type Query, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { hasCode, messagesOf, reasonOf, withoutValues } from 'responses-loop-example-shared/error-chain.js';
import {
  adviceFor,
  endAll,
  inTransaction,
  isUnreachable,
  poolOf,
  settingsOf,
} from 'responses-loop-example-shared/postgres.js';
import { nameOfAddress } from 'responses-loop-example-shared/postgres-address.js';

import { AgentError } from '../core/agent-error.js';
import { migratePostgres } from './postgres-migrations.js';
import { messages, sessions } from './postgres-schema.js';
import { withRetries } from './retries.js';
import type { Dialect } from './sql-dialect.js';
import { SqlStore } from './sql-store.js';
import type { SessionStore } from './store.js';

/** Opens the database, and makes or brings up to date the tables of this program. Tables of others are not touched. */
export async function openPostgres(url: string): Promise<SessionStore> {
  const pool = poolOf(settingsOf(url, 'agent-runtime'));
  try {
    await withRetries(() => inTransaction(pool, (client) => migratePostgres(client, nameOfAddress(url))), {
      isPassing: isStarting,
    });
    return new SqlStore(dialectOf(pool, url));
  } catch (error) {
    await endAll(pool);
    throw explain(error, url);
  }
}

function dialectOf(pool: Pool, url: string): Dialect {
  // The same methods under other types; the contract's tests run each of them.
  const same = { db: drizzle(pool), sessions, messages } as unknown as Pick<Dialect, 'db' | 'sessions' | 'messages'>;
  return {
    ...same,
    position: sql`agentx.sessions.position`,
    // Postgres takes 65,535 values, and a row has up to 14.
    rowsPerInsert: 4000,
    now: () => sql`extract(epoch FROM clock_timestamp()) * 1000`.mapWith(Number),
    heartbeat: () => sql`clock_timestamp()`,
    contains: (text, wanted) => sql`strpos(lower(${text} COLLATE "C"), ${wanted}) > 0`,
    beginsWith: (text, start) => sql`starts_with(${text}, ${start})`,
    isLazy: sql`(SELECT set_config('synchronous_commit', 'off', true)) = 'off'`,
    isAsAtStart: (id) => sql`xmin = (SELECT seen.xmin FROM agentx.sessions seen WHERE seen.id = ${id})`,
    isNestable: true,
    locked: sql` FOR SHARE`,
    write: async ([first, ...rest]) => {
      if (first === undefined) return 0;
      // One statement is whole or not at all by itself.
      if (rest.length === 0) return changedBy(pool, first);
      return inTransaction(pool, async (client) => {
        let changed = await changedBy(client, first);
        for (const statement of rest) changed = await changedBy(client, statement);
        return changed;
      });
    },
    brokenRule,
    isPassing: (error) => isStarting(error) || isUnreachable(error) || hasCode(error, BUSY),
    // The pool has left the broken connection out already.
    renew: async () => {},
    explain: (error) => explain(error, url),
    close: () => endAll(pool),
  };
}

async function changedBy(client: Pick<Pool, 'query'>, { sql: text, params }: Query): Promise<number> {
  return (await client.query(text, params)).rowCount ?? 0;
}

/** It starts, or has too many clients for the moment. */
const STARTING = /^(57P03|53300)$/;
/** Serialization failure, deadlock, lock not available. */
const BUSY = /^(40001|40P01|55P03)$/;
function isStarting(error: unknown): boolean {
  return hasCode(error, STARTING);
}

function brokenRule(error: unknown): ReturnType<Dialect['brokenRule']> {
  if (hasCode(error, /^23503$/)) return 'session_gone';
  if (hasCode(error, /^23502$/) && /"session_id"/.test(messagesOf(error))) return 'no_session';
  return hasCode(error, /^(23502|23505|23514)$/) ? 'refused' : undefined;
}

function explain(error: unknown, url: string): AgentError {
  if (error instanceof AgentError) return error;
  const where = nameOfAddress(url);
  const reason = reasonOf(error);
  const cause = withoutValues(error);
  if (isUnreachable(error)) {
    const advice = 'Check that the server runs, and the host and the port of the address.';
    return new AgentError('database_unreadable', `The database ${where} cannot be reached: ${reason}. ${advice}`, {
      cause,
    });
  }
  // A value that Postgres does not take, or more than it takes: trying again would not help.
  if (hasCode(error, /^(22|54)/))
    return new AgentError('persist_failed', `The database ${where} refuses this: ${reason}.`, { cause });
  const text = `The database ${where} cannot be used: ${reason}.${adviceFor(error, 'agentx')}`;
  return new AgentError('database_unreadable', text, { cause });
}

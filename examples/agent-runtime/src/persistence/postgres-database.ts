import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { connectionsOf, nameOfAddress } from 'responses-loop-example-shared/postgres-address.js';

import { AgentError } from '../core/agent-error.js';
import { hasCode, messagesOf, reasonOf } from './error-chain.js';
import { migratePostgres } from './postgres-migrations.js';
import { messages, sessions } from './postgres-schema.js';
import { sleep, withRetries } from './retries.js';
import type { Dialect } from './sql-dialect.js';
import { SqlStore } from './sql-store.js';
import type { SessionStore } from './store.js';

/** An address may set its own, as `?max=20&statement_timeout=60000`. */
const SETTINGS = {
  application_name: 'agent-runtime',
  connectionTimeoutMillis: 5000,
  idleTimeoutMillis: 30_000,
  // The server ends what takes longer, and gives back what a client holds that went away.
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  // Of a server that cannot be heard any more.
  query_timeout: 35_000,
  keepAlive: true,
  allowExitOnIdle: true,
} as const;

const CLOSE_MS = 2000;

/** Opens the database, and makes or brings up to date the tables of this program. Tables of others are not touched. */
export async function openPostgres(url: string): Promise<SessionStore> {
  const pool = new pg.Pool({ ...SETTINGS, max: connectionsOf(url), connectionString: url });
  // A connection that breaks while nobody uses it is replaced. One that breaks while it is held fails at its next use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await withRetries(() => inTransaction(pool, (client) => migratePostgres(client, nameOfAddress(url))), {
      isPassing: isStarting,
    });
    return new SqlStore(dialectOf(pool, url));
  } catch (error) {
    await close(pool);
    throw explain(error, url);
  }
}

function dialectOf(pool: pg.Pool, url: string): Dialect {
  // The same methods under other types; the contract's tests run each of them.
  const same = { db: drizzle(pool), sessions, messages } as unknown as Pick<Dialect, 'db' | 'sessions' | 'messages'>;
  return {
    ...same,
    position: sql`agentx.sessions.position`,
    // Postgres takes 65,535 values, and a row has 13.
    rowsPerInsert: 5000,
    now: () => sql`extract(epoch FROM clock_timestamp()) * 1000`.mapWith(Number),
    heartbeat: () => sql`clock_timestamp()`,
    contains: (text, wanted) => sql`strpos(lower(${text} COLLATE "C"), ${wanted}) > 0`,
    beginsWith: (text, start) => sql`starts_with(${text}, ${start})`,
    write: async ([first, ...rest]) => {
      if (first === undefined) return;
      // One statement is whole or not at all by itself.
      if (rest.length === 0) await pool.query(first.sql, first.params);
      else
        await inTransaction(pool, async (client) => {
          for (const { sql: text, params } of [first, ...rest]) await client.query(text, params);
        });
    },
    brokenRule,
    isPassing: (error) => isStarting(error) || isUnreachable(error) || hasCode(error, BUSY),
    // The pool has left the broken connection out already.
    renew: async () => {},
    explain: (error) => explain(error, url),
    close: () => close(pool),
  };
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // Closing the connection takes everything back, whatever state it is in.
    client.release(true);
    throw error;
  }
}

/** A server that cannot be heard is not waited for. */
async function close(pool: pg.Pool): Promise<void> {
  await Promise.race([pool.end(), sleep(CLOSE_MS)]);
}

/** It starts, or has too many clients for the moment. */
const STARTING = /^(57P03|53300)$/;
/** Serialization failure, deadlock, lock not available. */
const BUSY = /^(40001|40P01|55P03)$/;
/** The server ended the connection, or there was none. */
const UNREACHABLE =
  /^(08...|57P0[12]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** What the client says without a code. */
const BROKEN = /Connection terminated|timeout exceeded when trying to connect|Query read timeout/;

function isStarting(error: unknown): boolean {
  return hasCode(error, STARTING);
}

function isUnreachable(error: unknown): boolean {
  return hasCode(error, UNREACHABLE) || BROKEN.test(messagesOf(error));
}

function brokenRule(error: unknown): 'session_gone' | 'refused' | undefined {
  if (hasCode(error, /^23503$/)) return 'session_gone';
  return hasCode(error, /^(23502|23505|23514)$/) ? 'refused' : undefined;
}

/** What to do about it, by the code of the database. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, 'Check the user and the password of the address.'],
  [/^3D000$/, 'Create the database, or name another one in the address.'],
  [/^42501$/, 'Give the user the right to create and use the schema "agentx".'],
  [/^53300$/, 'Let the server take more clients (max_connections), or set a smaller ?max= in the address.'],
  [/^57014$/, 'The statement took too long: the server is slow, or ?statement_timeout= of the address is too small.'],
];

function explain(error: unknown, url: string): AgentError {
  if (error instanceof AgentError) return error;
  const where = nameOfAddress(url);
  const reason = reasonOf(error);
  if (isUnreachable(error)) {
    const advice = 'Check that the server runs, and the host and the port of the address.';
    return new AgentError('database_unreadable', `The database ${where} cannot be reached: ${reason}. ${advice}`, {
      cause: error,
    });
  }
  // A value that Postgres does not take, or more than it takes: trying again would not help.
  if (hasCode(error, /^(22|54)/))
    return new AgentError('persist_failed', `The database ${where} refuses this: ${reason}.`, { cause: error });
  const advice = ADVICE.find(([code]) => hasCode(error, code))?.[1];
  const text = `The database ${where} cannot be used: ${reason}.${advice === undefined ? '' : ` ${advice}`}`;
  return new AgentError('database_unreadable', text, { cause: error });
}

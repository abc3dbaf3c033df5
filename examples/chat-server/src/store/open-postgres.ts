import { hostname } from 'node:os';
import pg from 'pg';
import { type Owners, openOwners } from 'responses-loop-example-shared/engine/owners.js';
import type { Member } from 'responses-loop-example-shared/engine/types.js';
import { reasonOf } from 'responses-loop-example-shared/error-chain.js';
import { adviceFor, endAll, poolOf, settingsOf } from 'responses-loop-example-shared/postgres.js';
import { nameOfAddress, problemOfAddress } from 'responses-loop-example-shared/postgres-address.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { prepareTables } from './postgres-tables.js';
import { PostgresStorage } from './postgres-storage.js';

const BEAT_MS = 5_000;
const SILENCE_MS = 10_000;
const FROZEN_MS = 3_000;
/** No other program takes this lock by chance: "chat". */
const LOCK = 0x63686174;

export interface DatabaseOptions {
  /** `postgres://…` */
  readonly database: string;
  /** This server holds the database no longer, so another one may take it. */
  readonly onLost: (reason: string) => void;
}

/**
 * Chats in a database, of which this server is the only one.
 *
 * @throws SettingsError, if the database cannot be used. The password of its address is never in there.
 */
export async function openPostgres({ database, onLost }: DatabaseOptions): Promise<PostgresStorage> {
  const { name, settings } = checkedSettings(database);
  const pool = poolOf(settings);
  const holder = new pg.Client({ ...settings, query_timeout: SILENCE_MS });
  holder.on('error', () => {});
  try {
    await holder.connect();
    await hold(holder, name);
    await prepareTables(holder);
  } catch (error) {
    await endAll(holder, pool);
    throw problemOf(error, name);
  }
  const stopWatching = watch(holder, () =>
    onLost(`The connection to ${name} broke, so another server may use the database now.`),
  );
  return new PostgresStorage(pool, async () => {
    stopWatching();
    await endAll(holder, pool);
  });
}

export interface SharedDatabaseOptions {
  readonly database: string;
  /** What the chats of these servers belong to in the tables of the engine. */
  readonly application: string;
  /** This server among the others; the engine has made its tables. */
  readonly member: Member;
}

export interface SharedChats {
  readonly storage: PostgresStorage;
  readonly owners: Owners;
}

/**
 * Chats in a database that several servers use at the same time: each chat has one owner, which alone writes it.
 *
 * @throws SettingsError, if the database cannot be used.
 */
export async function openSharedPostgres({
  database,
  application,
  member,
}: SharedDatabaseOptions): Promise<SharedChats> {
  const { name, settings } = checkedSettings(database);
  // A server that freezes in the middle of a write must not keep the others from taking its chats.
  const pool = poolOf({ ...settings, idle_in_transaction_session_timeout: FROZEN_MS });
  try {
    await withClient(pool, prepareTables);
  } catch (error) {
    await endAll(pool);
    throw problemOf(error, name);
  }
  const owners = openOwners({ pool, application, member });
  const close = async (): Promise<void> => {
    await owners.close().catch(() => {});
    await endAll(pool);
  };
  return { owners, storage: new PostgresStorage(pool, close, owners) };
}

async function withClient(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  await work(client).finally(() => client.release());
}

function checkedSettings(database: string): { readonly name: string; readonly settings: pg.PoolConfig } {
  const problem = problemOfAddress(database);
  if (problem !== undefined)
    throw new SettingsError(`--database: ${problem}. Without a database, chats are kept in files.`);
  const settings = settingsOf(database, `chat-server, process ${process.pid} on ${hostname()}`);
  return { name: nameOfAddress(database), settings };
}

function problemOf(error: unknown, name: string): SettingsError {
  if (error instanceof SettingsError) return error;
  return new SettingsError(`--database: ${name} cannot be used: ${reasonOf(error)}.${adviceFor(error, 'chat_server')}`);
}

/** A lock goes with its connection. */
function watch(holder: pg.Client, onLost: () => void): () => void {
  const stop = (): void => {
    clearInterval(beat);
    holder.off('end', onEnd);
  };
  const onEnd = (): void => {
    stop();
    onLost();
  };
  const beat = setInterval(() => void holder.query('SELECT').catch(onEnd), BEAT_MS).unref();
  holder.once('end', onEnd);
  return stop;
}

/** What two servers write would be mixed, and what one of them knows would not be so. */
async function hold(client: pg.Client, name: string): Promise<void> {
  // Postgres notices within 25 seconds that the machine of a server is gone, and after the server itself did.
  await client.query('SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3');
  const { rows } = await client.query<{ readonly isHeld: boolean }>('SELECT pg_try_advisory_lock($1, 0) AS "isHeld"', [
    LOCK,
  ]);
  if (rows[0]?.isHeld === true) return;
  const others = await client.query<{ readonly name: string }>(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = $1 AND granted AND datname = current_database()
       AND database = datid`,
    [LOCK],
  );
  const who = others.rows[0]?.name ?? 'another server';
  throw new SettingsError(`The database ${name} is in use by ${who}. End it, or name another database.`);
}

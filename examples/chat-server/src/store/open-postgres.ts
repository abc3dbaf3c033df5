import { hostname } from 'node:os';
import pg from 'pg';
import { connectionsOf, nameOfAddress, problemOfAddress } from 'responses-loop-example-shared/postgres-address.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { prepareTables } from './postgres-tables.js';
import { PostgresStorage } from './postgres-storage.js';

/** An address may set its own, as `?max=20&statement_timeout=60000`. */
const SETTINGS = {
  connectionTimeoutMillis: 5_000,
  // The server ends what takes longer, and gives back what a client holds that went away.
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  // Of a server that cannot be heard any more.
  query_timeout: 35_000,
  keepAlive: true,
} as const;
const BEAT_MS = 5_000;
const SILENCE_MS = 10_000;
const CLOSE_MS = 2_000;
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
  const problem = problemOfAddress(database);
  if (problem !== undefined)
    throw new SettingsError(`--database: ${problem}. Without a database, chats are kept in files.`);
  const name = nameOfAddress(database);
  const settings = {
    ...SETTINGS,
    max: connectionsOf(database),
    connectionString: database,
    application_name: `chat-server, process ${process.pid} on ${hostname()}`,
  };
  const pool = new pg.Pool(settings);
  // A connection that breaks while nobody uses it is replaced. One that breaks while it is held fails at its next use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const holder = new pg.Client({ ...settings, query_timeout: SILENCE_MS });
  holder.on('error', () => {});
  try {
    await holder.connect();
    await hold(holder, name);
    await prepareTables(holder);
  } catch (error) {
    await closeAll(holder, pool);
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`--database: ${name} cannot be used: ${reasonOf(error)}.${adviceFor(error)}`);
  }
  const stopWatching = watch(holder, () =>
    onLost(`The connection to ${name} broke, so another server may use the database now.`),
  );
  return new PostgresStorage(pool, async () => {
    stopWatching();
    await closeAll(holder, pool);
  });
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

/** A server that cannot be heard is not waited for. */
async function closeAll(holder: pg.Client, pool: pg.Pool): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, CLOSE_MS).unref();
  });
  await Promise.race([Promise.allSettled([holder.end(), pool.end()]), late]);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error && error.message !== '' ? error.message.replace(/\.$/, '') : 'it does not say why';
}

/** What to do about it, by the code of the database or of the system. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, 'Check the user and the password of the address.'],
  [/^3D000$/, 'Create the database, or name another one in the address.'],
  [/^42501$/, 'Give the user the right to create and use the schema "chat_server".'],
  [/^53300$/, 'Let the server take more clients (max_connections), or set a smaller ?max= in the address.'],
  [/^E[A-Z]+/, 'Check that Postgres runs, and the host and the port of the address.'],
];

function adviceFor(error: unknown): string {
  const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = String(Reflect.get(Object(cause), 'code') ?? '');
  const advice = ADVICE.find(([pattern]) => pattern.test(code))?.[1];
  return advice === undefined ? '' : ` ${advice}`;
}

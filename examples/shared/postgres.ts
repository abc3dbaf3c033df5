import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { hasCode, messagesOf } from './error-chain.js';
import { connectionsOf, statementTimeoutOf } from './postgres-address.js';

const CLOSE_MS = 2_000;
/** How much longer than the server the client waits: then the server cannot be heard any more. */
const UNHEARD_MS = 5_000;

const SETTINGS = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 30_000,
  // The server ends what takes longer, and gives back what a client holds that went away.
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  allowExitOnIdle: true,
} as const;

/** An address may set its own, as `?max=20&statement_timeout=60000`. */
export function settingsOf(address: string, application: string): PoolConfig {
  const timeout = statementTimeoutOf(address) ?? SETTINGS.statement_timeout;
  return {
    ...{ ...SETTINGS, max: connectionsOf(address), connectionString: address, application_name: application },
    query_timeout: timeout === 0 ? 0 : timeout + UNHEARD_MS,
  };
}

/** A connection that breaks while nobody uses it is replaced. One that breaks while it is held fails at its next use. */
export function poolOf(settings: PoolConfig): Pool {
  const pool = new Pool(settings);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let problem: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Closing the connection takes everything back, too; one that is broken or waits for an answer cannot be asked to.
    if (isUnreachable(error)) problem = error as Error;
    else await client.query('ROLLBACK').catch((rollback: Error) => (problem = rollback));
    throw error;
  } finally {
    client.release(problem);
  }
}

/** A server that cannot be heard is not waited for. */
export async function endAll(...open: readonly { end: () => Promise<void> }[]): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, CLOSE_MS).unref();
  });
  await Promise.race([Promise.allSettled(open.map((one) => one.end())), late]);
}

/** The server ended the connection, or there was none. */
const UNREACHABLE =
  /^(08...|57P0[12]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** What the client says without a code. */
const BROKEN = /Connection terminated|timeout exceeded when trying to connect|Query read timeout/;

export function isUnreachable(error: unknown): boolean {
  return hasCode(error, UNREACHABLE) || BROKEN.test(messagesOf(error));
}

/** What to do about it, by the code of the database. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [/^28/, 'Check the user and the password of the address.'],
  [/^3D000$/, 'Create the database, or name another one in the address.'],
  [/^42501$/, 'Give the user the right to create and use the schema "SCHEMA".'],
  [/^53300$/, 'Let the server take more clients (max_connections), or set a smaller ?max= in the address.'],
  [/^57014$/, 'The statement took too long: the server is slow, or ?statement_timeout= of the address is too small.'],
];

/** A sentence that follows another one, or nothing. */
export function adviceFor(error: unknown, schema: string): string {
  const known = ADVICE.find(([code]) => hasCode(error, code))?.[1].replace('SCHEMA', schema);
  const advice = isUnreachable(error) ? 'Check that Postgres runs, and the host and the port of the address.' : known;
  return advice === undefined ? '' : ` ${advice}`;
}

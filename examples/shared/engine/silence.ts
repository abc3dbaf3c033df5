import type { PoolClient } from 'pg';

/**
 * Closes a connection on which a statement has had no answer for so long. `query_timeout` gives up the statement alone: who
 * releases the connection without an error, as DBOS does, gets it again, and it still waits.
 */
export function closeIfSilent(client: PoolClient, patienceMs: () => number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => clearTimeout(timer);
  const query = client.query.bind(client) as (...given: unknown[]) => never;
  client.query = (...given: unknown[]) => {
    rest();
    timer = setTimeout(() => client.connection.stream.destroy(silence()), patienceMs());
    timer.unref();
    return query(...given);
  };
  client.on('drain', rest);
  client.on('end', rest);
}

/** DBOS tries again after such an error, on another connection. */
function silence(): Error {
  return Object.assign(new Error('The database does not answer.'), { code: 'ETIMEDOUT' });
}

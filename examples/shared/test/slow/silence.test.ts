import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startTcpProxy } from '../../../fleet/tcp-proxy.js';
import { closeIfSilent } from '../../engine/silence.js';
import { isUnreachable, poolOf } from '../../postgres.js';
import { postgresForTests } from '../../test-support/postgres.mjs';

const server = await postgresForTests();
afterAll(() => server?.stop());

test.skipIf(server === undefined)(
  'a connection that is not answered is closed, and the next one is another',
  async () => {
    const way = await startTcpProxy(server?.port ?? 0);
    const address = (server?.url ?? '').replace(/:\d+\//, `:${way.port}/`);
    const pool = poolOf({ connectionString: address, max: 1, connectionTimeoutMillis: 5000 });
    pool.on('connect', (client) => closeIfSilent(client, () => 500));
    onTestFinished(async () => {
      await way.close();
      await pool.end();
    });
    // In use, although nothing is asked: it stays.
    const client = await pool.connect();
    await client.query('SELECT 1');
    await new Promise((resolve) => setTimeout(resolve, 800));
    await client.query('SELECT 1');
    way.lose();
    const unanswered = await client.query('SELECT 1').catch((error: unknown) => error);
    expect(isUnreachable(unanswered)).toBe(true);
    await expect(client.query('ROLLBACK')).rejects.toThrow();
    client.release();
    const { rows } = await pool.query('SELECT 2 AS two');
    expect(rows).toEqual([{ two: 2 }]);
  },
);

import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { WakeUps } from '../../engine/wake-ups.js';
import { postgresForTests } from '../../test-support/postgres.mjs';

const server = await postgresForTests();
afterAll(() => server?.stop());

test.skipIf(server === undefined)('a connection on which LISTEN fails is closed', async () => {
  const connectionString = server?.url ?? '';
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString, application_name: 'wake-ups' });
    await client.connect();
    // No other statement runs in a transaction that has failed.
    await client.query('BEGIN');
    await client.query('SELECT 1 / 0').catch(() => {});
    return client;
  };
  const wakeUps = new WakeUps(connect, 'agent');
  await expect(wakeUps.open()).rejects.toThrow('current transaction is aborted');
  const watcher = new Client({ connectionString });
  await watcher.connect();
  const open = async (): Promise<unknown> =>
    (await watcher.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'wake-ups'`)).rowCount;
  await expect.poll(open, { timeout: 5000 }).toBe(0);
  await wakeUps.close();
  await watcher.end();
});

import { inspect } from 'node:util';
import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { createPostgresPersister } from '../../../src/index.js';
import { openAt } from '../../support/postgres-store.js';

const NOW = '2026-01-01T00:00:00.000Z';
const TIMES = { createdAt: NOW, lastActivity: NOW };
const SESSION = { ...TIMES, id: 'a', summary: null, cwd: null, state: 'created', model: null, usage: null } as const;

const server = await postgresForTests();
afterAll(() => server?.stop());

function database(): string {
  return server?.createDatabase() ?? '';
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe.skipIf(server === undefined)('the connections to Postgres', () => {
  test('are as many as `?max=` of the address allows', async () => {
    const url = database();
    const persister = openAt(`${url}?max=3`);
    await persister.open?.();
    await Promise.all(Array.from({ length: 20 }, () => persister.listSessions({})));
    const open = `SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'agent-runtime'`;
    expect((await (await clientOf(url)).query(open)).rows).toEqual([{ open: 3 }]);
  });

  test('fail with the reason of the database, and without the values of the statement', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    await (await clientOf(url)).query('ALTER TABLE agentx.messages RENAME TO elsewhere');
    const found = { limit: 1, offset: 0, search: 'A secret of the user' };
    const error: unknown = await persister.listSessions(found).catch((why: unknown) => why);
    const printed = inspect(error, { depth: Infinity, showHidden: true });
    expect(printed).toContain('relation "agentx.messages" does not exist');
    expect(printed).not.toContain('secret of the user');
  });

  test('are refused if `?max=` is no number of connections', () => {
    expect(() => createPostgresPersister({ url: 'postgres://me:secret@host/name?max=0' })).toThrow(
      /^The database: expected \?max= of the address as a number of connections from 1 to 9999/,
    );
  });

  test('may break while they write a session with rows: both are kept, or neither is', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    const uncaught: unknown[] = [];
    const keep = (error: unknown): number => uncaught.push(error);
    process.on('uncaughtException', keep);
    onTestFinished(() => void process.off('uncaughtException', keep));
    const killer = await clientOf(url);
    const over = new AbortController();
    let killed = 0;
    const content = 'x'.repeat(300_000);
    const write = async (id: string): Promise<void> => {
      const more = { type: 'user', content, timestamp: NOW, turn: 1 } as const;
      const rows = [1, 2].map((seq) => ({ ...more, id: crypto.randomUUID(), seq }));
      await persister.createSession?.({ ...SESSION, id }, rows);
    };
    const writing = (async () => {
      for (let n = 0; n < 12; n += 1) await write(`s${n}`).catch(() => {});
      over.abort();
    })();
    while (!over.signal.aborted) {
      const { rowCount } = await killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`);
      killed += rowCount ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await writing;
    await write('last');
    expect(killed).toBeGreaterThan(0);
    expect(uncaught).toEqual([]);
    const { rows: kept } = await killer.query<{ rows: number }>(
      `SELECT id, (SELECT count(*)::int FROM agentx.messages WHERE session_id = sessions.id) AS rows
       FROM agentx.sessions WHERE id <> 'a'`,
    );
    expect(kept).toContainEqual({ id: 'last', rows: 2 });
    expect(kept.filter(({ rows }) => rows !== 2)).toEqual([]);
  });
});

import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { getTableColumns } from 'drizzle-orm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { createAgentX, createPostgresPersister, type SessionData, type StoredMessage } from '../../../src/index.js';
import { messages, sessions } from '../../../src/persistence/postgres-schema.js';
import { freePort } from '../../support/free-port.js';
import { openAt } from '../../support/postgres-store.js';

const NOW = '2026-01-01T00:00:00.000Z';
const SESSION: SessionData = {
  id: 'a',
  summary: null,
  createdAt: NOW,
  lastActivity: NOW,
  cwd: null,
  state: 'created',
  model: null,
  usage: null,
};
const row = (seq: number): StoredMessage => ({
  id: crypto.randomUUID(),
  type: 'user',
  content: `Message ${seq}`,
  timestamp: NOW,
  seq,
  turn: 1,
});

const server = await postgresForTests();
afterAll(() => server?.stop());

function database(): string {
  return server?.createDatabase() ?? '';
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(server === undefined)('a database of Postgres', () => {
  test('is made once by several that start at the same time', async () => {
    const url = database();
    const all = Array.from({ length: 6 }, () => openAt(url));
    await Promise.all(all.map(async (persister) => persister.open?.()));
    expect(await query(url, 'SELECT version FROM agentx.schema_version')).toEqual([{ version: 1 }]);
    await all[0]?.saveSession(SESSION);
    expect(await all[5]?.getSession('a')).toMatchObject({ id: 'a' });
  });

  test.each([
    ['sessions', sessions, ['position']],
    ['messages', messages, []],
  ] as const)('has the columns of the schema: %s', async (name, table, more) => {
    const url = database();
    await openAt(url).open?.();
    const columns = await query(
      url,
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS needed
       FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 ORDER BY a.attnum`,
      [`agentx.${name}`],
    );
    const inSchema = Object.values<(typeof sessions)['id']>(getTableColumns(table) as never).map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      needed: column.notNull,
    }));
    expect(columns.filter((column) => !more.includes(column['name'] as never))).toEqual(inSchema);
    expect(columns).toHaveLength(inSchema.length + more.length);
  });

  test('of a newer program is refused and not touched', async () => {
    const url = database();
    await openAt(url).open?.();
    await query(url, 'UPDATE agentx.schema_version SET version = 99');
    await expect(openAt(url).open?.()).rejects.toMatchObject({ code: 'schema_too_new' });
    expect(await query(url, 'SELECT version FROM agentx.schema_version')).toEqual([{ version: 99 }]);
  });

  test('that holds tables of another program is refused and not touched', async () => {
    const url = database();
    await query(url, 'CREATE SCHEMA agentx; CREATE TABLE agentx.sessions (name text)');
    await expect(openAt(url).open?.()).rejects.toMatchObject({ code: 'database_unreadable' });
    expect(await query(url, 'SELECT tablename FROM pg_tables WHERE schemaname = $1', ['agentx'])).toHaveLength(1);
  });

  test('leaves the tables of others alone', async () => {
    const url = database();
    await query(url, 'CREATE TABLE sessions (name text)');
    await openAt(url).saveSession(SESSION);
    expect(await query(url, 'SELECT * FROM public.sessions')).toEqual([]);
  });
});

describe.skipIf(server === undefined)(
  'a database that cannot be used is named without its password, with advice',
  () => {
    const errorOf = async (url: string): Promise<{ code: string; message: string }> => {
      const persister = openAt(url);
      return (await persister.open?.().catch((error: unknown) => error)) as never;
    };

    test('because no server is there', async () => {
      const port = await freePort();
      const { code, message } = await errorOf(`postgres://me:secret@127.0.0.1:${port}/pond`);
      expect(code).toBe('database_unreadable');
      expect(message).toContain(`postgres://me@127.0.0.1:${port}/pond cannot be reached`);
      expect(message).toContain('Check that the server runs');
      expect(message).not.toContain('secret');
    });

    test('because it was never created', async () => {
      const { code, message } = await errorOf(`postgres://postgres:secret@127.0.0.1:${server?.port}/nothing`);
      expect(code).toBe('database_unreadable');
      expect(message).toMatch(/"nothing" does not exist\. Create the database/);
      expect(message).not.toContain('secret');
    });

    test('because the user is unknown, or may not create a schema', async () => {
      const url = database();
      const unknown = await errorOf(url.replace('postgres@', 'nobody:secret@'));
      expect(unknown.message).toMatch(/Check the user and the password/);
      await query(url, 'CREATE ROLE guest LOGIN');
      const guest = await errorOf(url.replace('postgres@', 'guest@'));
      expect(guest.message).toMatch(/right to create and use the schema/);
    });

    test.each(['mysql://host/name', 'agent.db', ''])('because its address is "%s"', (url) => {
      expect(() => createPostgresPersister({ url })).toThrow(/postgres:\/\/user@host:5432\/name/);
    });
  },
);

describe.skipIf(server === undefined)('two machines at one database', () => {
  test('a session is claimed by one of them, until its turn is over', async () => {
    const url = database();
    const all = Array.from({ length: 5 }, () => openAt(url));
    await all[0]?.saveSession(SESSION);
    const claims = await Promise.all(all.map(async (persister) => persister.claimSession?.('a')));
    expect(claims.filter((claim) => claim?.outcome === 'claimed')).toHaveLength(1);
    expect(claims.filter((claim) => claim?.outcome === 'busy')).toHaveLength(4);
    const holder = all[claims.findIndex((claim) => claim?.outcome === 'claimed')];
    await holder?.saveSession({ ...SESSION, state: 'idle' });
    expect(await all[2]?.claimSession?.('a')).toEqual({ outcome: 'claimed', wasActive: false });
  });

  test('a claim that waited for the end of a turn elsewhere does not miss the rows of that turn', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    const elsewhere = new pg.Client({ connectionString: url });
    await elsewhere.connect();
    onTestFinished(() => elsewhere.end());
    await elsewhere.query('BEGIN');
    await elsewhere.query(`INSERT INTO agentx.messages (id, session_id, type, content, timestamp, seq, turn)
      VALUES ('m1', 'a', 'user', 'Hello.', '', 1, 1)`);
    await elsewhere.query(`UPDATE agentx.sessions SET summary = 'ended' WHERE id = 'a'`);
    const claiming = persister.claimSession?.('a', { after: 0 });
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await expect.poll(() => query(url, waiting)).toHaveLength(1);
    await elsewhere.query('COMMIT');
    const claim = await claiming;
    expect(claim).toMatchObject({ outcome: 'claimed', wasActive: false });
    expect(claim).not.toHaveProperty('hasNews', false);
  });

  test('whether the holder lives is told by the clock of the database alone', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    const held = `UPDATE agentx.sessions SET state = 'active', owner = '12.34.1@elsewhere', heartbeat = now() - $1::interval`;
    // Eleven years later by the clock of this machine.
    const clock = Date.now;
    Date.now = () => clock() + 11 * 365 * 86_400_000;
    onTestFinished(() => {
      Date.now = clock;
    });
    await query(url, held, ['19 seconds']);
    expect(await persister.claimSession?.('a')).toEqual({ outcome: 'busy' });
    await query(url, held, ['21 seconds']);
    expect(await persister.claimSession?.('a')).toEqual({ outcome: 'claimed', wasActive: true });
    const [kept] = await query(
      url,
      'SELECT abs(extract(epoch FROM now() - heartbeat)) < 60 AS fresh FROM agentx.sessions',
    );
    expect(kept).toEqual({ fresh: true });
  });

  test('what a machine writes of a session that another one has taken over does not count', async () => {
    const url = database();
    const [one, two] = [openAt(url), openAt(url)];
    await one.saveSession(SESSION);
    await one.claimSession?.('a');
    await query(url, `UPDATE agentx.sessions SET owner = '1.1.1@gone', heartbeat = now() - interval '1 minute'`);
    expect(await two.claimSession?.('a')).toEqual({ outcome: 'claimed', wasActive: true });
    const late = { ...SESSION, state: 'idle', summary: 'late' } as const;
    const writes = [one.saveSession(late), one.saveMessage('a', row(1)), one.saveTurn?.(late, [row(1)])];
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'session_lost' });
    expect(await two.getSession('a')).toMatchObject({ state: 'active', summary: null, messageCount: 0 });
  });

  test('a session that one deleted does not come back by the other', async () => {
    const url = database();
    const [one, two] = [openAt(url), openAt(url)];
    await one.saveSession(SESSION);
    expect(await two.getSession('a')).not.toBeNull();
    await one.deleteSession('a');
    await expect(two.saveSession({ ...SESSION, state: 'idle' })).rejects.toMatchObject({ code: 'session_deleted' });
    await expect(two.saveMessage('a', row(1))).rejects.toMatchObject({ code: 'session_deleted' });
  });

  test('createAgentX keeps sessions there, and another machine goes on with them', async () => {
    const url = database();
    const agentAt = () => createAgentX({ driver: 'echo', driverConfig: { agentId: 'a' }, database: url });
    const one = agentAt();
    await one.initialize();
    const turn = one.chat('Hello');
    await turn;
    await one.destroy();
    const two = agentAt();
    await two.initialize();
    const session = await two.getSession(turn.sessionId);
    expect(session?.getMessages()[0]?.content).toBe('Hello');
    expect(session?.getMessages().at(-1)).toMatchObject({
      type: 'agent',
      content: expect.stringContaining('Hello') as unknown,
    });
    await two.destroy();
  });
});

describe.skipIf(server === undefined)('a server that ends and starts again', () => {
  test('is gone on with: what was asked meanwhile is done', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    await persister.saveMessage('a', row(1));
    await server?.halt();
    const writing = persister.saveMessages('a', [row(2), row(3)]);
    const reading = persister.listSessions({});
    await server?.resume();
    await Promise.all([writing, reading]);
    expect((await persister.getMessages('a')).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('is named if it stays away, and rows that were not kept are known', async () => {
    const url = database();
    const persister = openAt(url);
    await persister.saveSession(SESSION);
    await server?.halt();
    const lost = row(1);
    await expect(persister.saveMessage('a', lost)).rejects.toMatchObject({
      code: 'database_unreadable',
      message: expect.stringContaining('cannot be reached') as unknown,
    });
    await expect(persister.flush()).rejects.toMatchObject({ messages: [lost] });
    await server?.resume();
    await persister.saveMessage('a', lost);
    await persister.flush();
  });
});

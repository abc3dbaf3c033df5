import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { MessageLog } from '../../../src/store/message-log.js';
import { MessageStore } from '../../../src/store/message-store.js';
import { openPostgres } from '../../../src/store/open-postgres.js';
import { PostgresStorage } from '../../../src/store/postgres-storage.js';
import { prepareTables } from '../../../src/store/postgres-tables.js';
import { SessionStore } from '../../../src/store/session-store.js';
import { message } from '../../support/messages.js';
import { describeStorage } from '../../support/storage-contract.js';

const postgres = await postgresForTests();
afterAll(() => postgres?.stop());

/** As each of several servers has it. */
function storageOf(database: string): PostgresStorage {
  const pool = new pg.Pool({ connectionString: database, max: 5 });
  pool.on('error', () => {});
  const storage = new PostgresStorage(pool, () => pool.end());
  onTestFinished(() => storage.close());
  return storage;
}

async function newDatabase(): Promise<string> {
  const database = postgres?.createDatabase() ?? '';
  const client = new pg.Client(database);
  await client.connect();
  await prepareTables(client);
  await client.end();
  return database;
}

/** What would end the program. */
function uncaughtErrors(): Error[] {
  const errors: Error[] = [];
  const keep = (error: Error): number => errors.push(error);
  process.on('uncaughtException', keep);
  onTestFinished(() => void process.off('uncaughtException', keep));
  return errors;
}

/** Ends connections of others again and again; those that hold the lock of a server stay. */
async function whileKilling(
  database: string,
  work: () => Promise<void>,
  which = `pid NOT IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`,
): Promise<number> {
  const killer = new pg.Client(database);
  await killer.connect();
  onTestFinished(() => killer.end());
  const over = new AbortController();
  let killed = 0;
  const working = work().finally(() => over.abort());
  while (!over.signal.aborted) {
    const { rowCount } = await killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND ${which}`);
    killed += rowCount ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  await working;
  return killed;
}

describe.skipIf(postgres === undefined)('Postgres', () => {
  describeStorage('it', async () => {
    const database = await newDatabase();
    return { storage: storageOf(database), again: async () => storageOf(database) };
  });

  it('tells each server what others appended, put in place of it, or made anew', async () => {
    const database = await newDatabase();
    const [one, other] = [storageOf(database), storageOf(database)];
    const warnings: string[] = [];
    const open = (storage: PostgresStorage) =>
      MessageLog.open({ storage, path: 'sessions/a.jsonl', onWarning: (text) => warnings.push(text) });
    const [mine, theirs] = [await open(one), await open(other)];
    const seen = async (): Promise<string[]> => {
      await theirs.refresh();
      return theirs.all().map(({ id, parts }) => `${id} ${JSON.stringify(parts[0])}`);
    };
    const said = (id: string, text: string) => message(id, { parts: [{ type: 'text', text }] });
    await mine.save(said('a', '1'));
    await theirs.save(said('b', '2'));
    expect(await seen()).toEqual(['a {"type":"text","text":"1"}', 'b {"type":"text","text":"2"}']);
    for (let n = 0; n < 100; n += 1) await mine.save(said('a', String(n)));
    expect((await one.lines('sessions/a.jsonl')).lines.length).toBeLessThan(60);
    expect(await seen()).toEqual(['a {"type":"text","text":"99"}', 'b {"type":"text","text":"2"}']);
    await one.rename('sessions/a.jsonl', 'sessions/b.jsonl');
    expect(await seen()).toEqual([]);
    await mine.save(said('c', '3'));
    expect(await seen()).toEqual(['c {"type":"text","text":"3"}']);
    await one.rename('sessions/a.jsonl', 'sessions/c.jsonl');
    await mine.save(said('d', '4'));
    expect(await seen()).toEqual(['d {"type":"text","text":"4"}']);
    expect(warnings).toEqual([]);
  });

  it('lets no server overwrite what another one changed in a session, or make it twice', async () => {
    const database = await newDatabase();
    const onWarning = (text: string): void => expect.fail(text);
    const stores = [1, 2, 3].map(() => new SessionStore({ storage: storageOf(database), onWarning }));
    const made = await Promise.allSettled(stores.map((store) => store.create({ id: 's' })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) =>
        stores[n % 3]?.update('s', ({ usage }) => ({ usage: { ...usage, input: usage.input + 1 } })),
      ),
    );
    for (const store of stores) expect((await store.get('s')).usage.input).toBe(30);
    await stores[0]?.delete('s');
    expect(await stores[1]?.find('s')).toBeUndefined();
    await expect(stores[2]?.update('s', { title: 'x' })).rejects.toMatchObject({ code: 'no_such_session' });
  });

  it('appends whole lines only, whenever the connection of a server breaks', async () => {
    const database = await newDatabase();
    const storage = storageOf(database);
    const killer = new pg.Client(database);
    await killer.connect();
    onTestFinished(() => killer.end());
    const kept: number[] = [];
    const over = new AbortController();
    const writing = (async () => {
      for (let n = 0; n < 60; n += 1) {
        const line = { n, text: 'x'.repeat(100_000) };
        await storage.append('sessions/a.jsonl', line).then(
          () => kept.push(n),
          () => {},
        );
      }
      over.abort();
    })();
    while (!over.signal.aborted) {
      await killer.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    await writing;
    const { lines, broken, isTorn } = await storageOf(database).lines('sessions/a.jsonl');
    expect({ broken, isTorn }).toEqual({ broken: [], isTorn: false });
    const found = lines.map(({ value }) => value as { readonly n: number; readonly text: string });
    expect(found.map(({ n }) => n)).toEqual(expect.arrayContaining(kept));
    expect(new Set(found.map(({ n }) => n)).size).toBe(found.length);
    for (const { text } of found) expect(text).toHaveLength(100_000);
  });

  it('goes on, whenever a connection breaks that a change holds', async () => {
    const database = postgres?.createDatabase() ?? '';
    const uncaught = uncaughtErrors();
    const storage = await openPostgres({ database, onLost: (reason) => expect.fail(reason) });
    onTestFinished(() => storage.close());
    await storage.makeFolder('sessions/a');
    const killed = await whileKilling(database, async () => {
      for (let n = 0; n < 40; n += 1) {
        const content = `${n} ${'x'.repeat(300_000)}`;
        await storage.update('sessions/a/b.json', () => content).catch(() => {});
      }
    });
    expect(killed).toBeGreaterThan(0);
    expect(uncaught).toEqual([]);
    await storage.update('sessions/a/b.json', () => 'last');
    expect(Buffer.from((await storage.read('sessions/a/b.json')) ?? []).toString()).toBe('last');
  });

  it('is used with as many connections as `?max=` of the address allows', async () => {
    const database = `${postgres?.createDatabase() ?? ''}?max=3`;
    const storage = await openPostgres({ database, onLost: (reason) => expect.fail(reason) });
    onTestFinished(() => storage.close());
    await Promise.all(Array.from({ length: 20 }, () => storage.folders('sessions')));
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    const { rows } = await client.query(`SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'chat-server%'`);
    // One more holds the lock.
    expect(rows).toEqual([{ open: 4 }]);
  });

  it('refuses to open with a reason, whenever its connection breaks meanwhile', async () => {
    const database = postgres?.createDatabase() ?? '';
    const uncaught = uncaughtErrors();
    const killed = await whileKilling(
      database,
      async () => {
        for (let n = 0; n < 40; n += 1) {
          const opened = await openPostgres({ database, onLost: () => {} }).catch((error: unknown) => error);
          if (opened instanceof PostgresStorage) await opened.close();
          else expect(opened).toMatchObject({ name: 'SettingsError' });
        }
      },
      'true',
    );
    expect(killed).toBeGreaterThan(0);
    expect(uncaught).toEqual([]);
  });

  it('lists 1,000 sessions in 100 ms', async () => {
    const storage = storageOf(await newDatabase());
    const onWarning = (text: string): void => expect.fail(text);
    const store = new SessionStore({ storage, onWarning });
    for (let n = 0; n < 1_000; n += 1) await store.create({ title: `Chat ${n}` });
    const messages = new MessageStore({ storage, sessions: store, onWarning });
    expect(await store.list()).toHaveLength(1_000);
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const start = performance.now();
      await store.list();
      times.push(performance.now() - start);
    }
    expect(Math.min(...times)).toBeLessThan(100);
    await messages.idle();
  });

  describe('that cannot be used is refused with what to do, and without its password', () => {
    const port = postgres?.port ?? 0;
    it.each([
      ['an address that is none', 'nonsense', /expected an address as postgres:/],
      ['another database', 'mysql://user:hidden1@127.0.0.1/x', /expected an address as postgres:/],
      [
        'a number of connections that is none',
        'postgres://user:hidden1@127.0.0.1/x?max=many',
        /\?max= .* from 1 to 9999/,
      ],
      ['nobody listens', 'postgres://user:hidden1@127.0.0.1:1/x', /Check that Postgres runs/],
      ['no such database', `postgres://postgres:hidden1@127.0.0.1:${port}/none`, /Create the database/],
      ['no such user', `postgres://nobody:hidden1@127.0.0.1:${port}/postgres`, /Check the user and the password/],
    ])('%s', async (_what, database, reason) => {
      const opened = openPostgres({ database, onLost: () => {} });
      const error = await opened.then(
        () => undefined,
        (problem: unknown) => problem,
      );
      expect(error).toMatchObject({ name: 'SettingsError', message: expect.stringMatching(reason) as string });
      expect(String(error)).not.toContain('hidden1');
    });

    it('tables of a newer program', async () => {
      const database = await newDatabase();
      const client = new pg.Client(database);
      await client.connect();
      await client.query('UPDATE chat_server.version SET number = 99');
      await client.end();
      await expect(openPostgres({ database, onLost: () => {} })).rejects.toThrow('have version 99');
    });
  });

  it('has one server, and tells it if it is no longer the one', async () => {
    const database = postgres?.createDatabase() ?? '';
    const lost: string[] = [];
    const first = await openPostgres({ database, onLost: (reason) => lost.push(reason) });
    await expect(openPostgres({ database, onLost: () => {} })).rejects.toThrow(
      `is in use by chat-server, process ${process.pid} on `,
    );
    const killer = new pg.Client(database);
    await killer.connect();
    await killer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1667785076`,
    );
    await killer.end();
    await expect.poll(() => lost).toEqual([expect.stringMatching(/another server may use the database now/)]);
    const second = await openPostgres({ database, onLost: (reason) => lost.push(reason) });
    await first.close();
    await second.close();
    expect(lost).toHaveLength(1);
  });
});

import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

import { createClient } from '@libsql/client';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  type Agent,
  type AgentPersister,
  createAgent,
  createSqlitePersister,
  type SessionData,
  type StoredMessage,
} from '../../src/index.js';
import { isAlive, newOwner } from '../../src/persistence/owner.js';
import { messages, sessions } from '../../src/persistence/sqlite-schema.js';
import { collect } from '../support/collect.js';
import { FakeAdapter, greet, talkOn } from '../support/fake-adapter.js';
import { makeWorkspace } from '../support/workspace.js';

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

const fileOf = (workspace: string): string => join(workspace, '.agentx', 'data', 'agent.db');

function openIn(workspace: string): AgentPersister {
  const persister = createSqlitePersister({ workspace });
  onTestFinished(() => persister.close().catch(() => {}));
  return persister;
}

/** Another program that has the same file open. */
function otherProgram(workspace: string) {
  const client = createClient({ url: pathToFileURL(fileOf(workspace)).href, timeout: 1000 });
  onTestFinished(() => client.close());
  return client;
}

async function readPragma(workspace: string, name: string): Promise<unknown> {
  return (await otherProgram(workspace).execute(`PRAGMA ${name}`)).rows[0]?.[0];
}

describe('the file', () => {
  test('is in a folder for its owner alone that no repository takes in', async () => {
    const workspace = makeWorkspace();
    await openIn(workspace).open?.();
    for (const folder of ['.agentx', '.agentx/data']) {
      expect(statSync(join(workspace, folder)).mode & 0o777).toBe(0o700);
    }
    expect(readFileSync(join(workspace, '.agentx', '.gitignore'), 'utf8')).toBe('*\n');
    expect(await readPragma(workspace, 'journal_mode')).toBe('wal');
    expect(await readPragma(workspace, 'user_version')).toBe(1);
  });

  test.each([
    ['sessions', sessions],
    ['messages', messages],
  ] as const)('has the columns of the schema: %s', async (name, table) => {
    const workspace = makeWorkspace();
    await openIn(workspace).open?.();
    const { rows } = await otherProgram(workspace).execute(`PRAGMA table_info(${name})`);
    const inFile = rows.map((column) => ({
      name: column['name'],
      type: column['type'],
      notNull: column['notnull'] === 1,
      isKey: column['pk'] === 1,
    }));
    const inSchema = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      notNull: column.notNull && !column.primary,
      isKey: column.primary,
    }));
    expect(inFile).toEqual(inSchema);
    expect(getTableConfig(table).name).toBe(name);
  });

  test('of garbage is named and not touched', async () => {
    const workspace = makeWorkspace();
    mkdirSync(join(workspace, '.agentx', 'data'), { recursive: true });
    const garbage = 'This is no database. '.repeat(500);
    writeFileSync(fileOf(workspace), garbage);
    const agent = createAgent({ workspace }, { adapter: new FakeAdapter() });
    const error: unknown = await agent.initialize().catch((failure: unknown) => failure);
    expect(error).toMatchObject({
      code: 'database_unreadable',
      message: expect.stringContaining('agent.db') as string,
    });
    expect(readFileSync(fileOf(workspace), 'utf8')).toBe(garbage);
    expect(existsSync(`${fileOf(workspace)}-wal`)).toBe(false);
  });

  test('of a newer program is refused and not touched', async () => {
    const workspace = makeWorkspace();
    const persister = openIn(workspace);
    await persister.open?.();
    await persister.close();
    await otherProgram(workspace).execute('PRAGMA user_version=99');
    await expect(openIn(workspace).open?.()).rejects.toMatchObject({ code: 'schema_too_new' });
    expect(await readPragma(workspace, 'user_version')).toBe(99);
  });

  test('of another program is refused and not touched', async () => {
    const workspace = makeWorkspace();
    mkdirSync(join(workspace, '.agentx', 'data'), { recursive: true });
    await otherProgram(workspace).execute('CREATE TABLE sessions (name TEXT)');
    await expect(openIn(workspace).open?.()).rejects.toMatchObject({ code: 'database_unreadable' });
    const { rows } = await otherProgram(workspace).execute('PRAGMA table_info(sessions)');
    expect(rows).toHaveLength(1);
  });

  test('is made once, also by several that start at the same time', async () => {
    const workspace = makeWorkspace();
    const all = Array.from({ length: 5 }, () => openIn(workspace));
    await Promise.all(all.map((persister) => persister.getAllSessions()));
    await all[0]?.saveSession(SESSION);
    expect(await all[4]?.getSession('a')).toMatchObject({ id: 'a' });
  });
});

describe('rules of the tables', () => {
  test('a row in a place that is taken is refused, and what was there stays', async () => {
    const persister = openIn(makeWorkspace());
    await persister.saveSession(SESSION);
    const first = row(1);
    await persister.saveMessage('a', first);
    const second = row(1);
    await expect(persister.saveMessage('a', second)).rejects.toMatchObject({ code: 'persist_failed' });
    expect(await persister.getMessages('a')).toEqual([first]);
    await expect(persister.flush()).rejects.toMatchObject({ messages: [second] });
  });

  test('rows that are saved together are all there or none', async () => {
    const persister = openIn(makeWorkspace());
    await persister.saveSession(SESSION);
    await expect(persister.saveMessages('a', [row(1), row(2), row(1)])).rejects.toMatchObject({
      code: 'persist_failed',
    });
    expect(await persister.getMessageCount('a')).toBe(0);
  });

  test('an operation on a closed database says so', async () => {
    const persister = openIn(makeWorkspace());
    await persister.open?.();
    await persister.close();
    await persister.close();
    await expect(persister.getSession('a')).rejects.toMatchObject({ code: 'disposed' });
  });
});

describe('two at one database', () => {
  test('a session that one deleted does not come back by the other', async () => {
    const workspace = makeWorkspace();
    const [one, two] = [openIn(workspace), openIn(workspace)];
    await one.saveSession(SESSION);
    expect(await two.getSession('a')).not.toBeNull();
    await one.deleteSession('a');
    await expect(two.saveSession({ ...SESSION, state: 'idle' })).rejects.toMatchObject({ code: 'session_deleted' });
    await expect(two.saveMessage('a', row(1))).rejects.toMatchObject({ code: 'session_deleted' });
    expect(await one.getAllSessions()).toEqual([]);
  });

  test('a session in a turn of one is busy for the other, and what one wrote the other reads', async () => {
    const workspace = makeWorkspace();
    let answer = talkOn;
    const first = createAgent({ workspace }, { adapter: new FakeAdapter((...given) => answer(...given)) });
    const second = createAgent({ workspace }, { adapter: new FakeAdapter() });
    await Promise.all([first.initialize(), second.initialize()]);
    const session = await first.createSession();
    const same = await second.getSession(session.id);
    const turn = session.send('One');
    await expect.poll(() => session.getMessages().length).toBe(1);
    for (const call of [() => same?.send('Two'), () => same?.abort(), () => same?.complete()]) {
      await expect(Promise.resolve(call())).rejects.toMatchObject({ code: 'session_busy' });
    }
    await session.interrupt();
    await collect(turn);
    await same?.send('Three');
    expect(same?.getMessages().map(({ content, seq }) => `${seq} ${content}`)).toEqual([
      '1 One',
      '2 And so',
      '3 Three',
      '4 Hello.',
    ]);
    answer = new FakeAdapter().stream.bind(new FakeAdapter()) as never;
    await session.complete();
    await expect(Promise.resolve(same?.send('Four'))).rejects.toMatchObject({ code: 'session_closed' });
    expect(same?.state).toBe('completed');
    await same?.delete();
    expect(await first.getSessions()).toEqual([]);
    await Promise.all([first.destroy(), second.destroy()]);
  });

  test('a turn of a process that is gone is ended by the next start', async () => {
    const workspace = makeWorkspace();
    const before = openIn(workspace);
    await before.saveSession(SESSION);
    await before.saveMessages('a', [
      row(1),
      { ...row(2), type: 'tool', isToolUse: true, toolName: 'look', toolId: 'c1', toolInput: {} },
    ]);
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    await before.saveSession({ ...SESSION, state: 'active', owner: 'somebody', heartbeat: minuteAgo });
    const agent = createAgent({ workspace }, { adapter: new FakeAdapter() });
    await agent.initialize();
    const session = await agent.getSession('a');
    expect(session?.state).toBe('idle');
    expect(session?.getMessages().slice(2)).toMatchObject([
      {
        seq: 3,
        type: 'tool',
        isToolUse: false,
        toolId: 'c1',
        content: expect.stringContaining('interrupted') as string,
      },
      { seq: 4, type: 'system', content: expect.stringContaining('cut off') as string },
    ]);
    expect(await before.getSession('a')).toMatchObject({ state: 'idle', owner: null, heartbeat: null });
    await agent.destroy();
  });

  test('a turn that two starts find cut off is ended once', async () => {
    const workspace = makeWorkspace();
    const before = openIn(workspace);
    await before.saveSession(SESSION);
    await before.saveMessage('a', row(1));
    await before.saveSession({ ...SESSION, state: 'active', owner: 'somebody', heartbeat: NOW });
    const agents = Array.from({ length: 4 }, () => createAgent({ workspace }, { adapter: new FakeAdapter() }));
    await Promise.all(agents.map((agent) => agent.initialize()));
    expect((await before.getMessages('a')).map(({ type }) => type)).toEqual(['user', 'system']);
    expect(await before.getSession('a')).toMatchObject({ state: 'idle', owner: null });
    await Promise.all(agents.map((agent) => agent.destroy()));
  });

  test('a message with an id that another process has heard is not heard again', async () => {
    const workspace = makeWorkspace();
    const [first, second] = [0, 1].map(() => createAgent({ workspace }, { adapter: new FakeAdapter() })) as [
      Agent,
      Agent,
    ];
    await Promise.all([first.initialize(), second.initialize()]);
    const session = await first.createSession();
    const same = await second.getSession(session.id);
    await session.send('One', { id: 'once' });
    // It has not read what the other one wrote.
    const events = await collect(same!.send('One', { id: 'once' }));
    expect(events.find(({ type }) => type === 'error')?.data).toMatchObject({ errorCode: 'message_exists' });
    expect(same?.getMessages().filter(({ type }) => type === 'user')).toHaveLength(1);
    await Promise.all([first.destroy(), second.destroy()]);
  });

  test('a turn of a process that lives is left alone by the next start', async () => {
    const workspace = makeWorkspace();
    const before = openIn(workspace);
    const state = { ...SESSION, state: 'active', owner: 'somebody', heartbeat: new Date().toISOString() } as const;
    await before.saveSession(state);
    const agent = createAgent({ workspace }, { adapter: new FakeAdapter() });
    await agent.initialize();
    expect(await before.getSession('a')).toMatchObject({ state: 'active', owner: 'somebody' });
    const session = await agent.getSession('a');
    await expect(Promise.resolve(session?.send('Hello'))).rejects.toMatchObject({ code: 'session_busy' });
    await agent.destroy();
  });
});

describe('who lives', () => {
  const now = new Date().toISOString();
  const old = new Date(Date.now() - 21_000).toISOString();

  test('this process, as long as it says so', () => {
    expect(isAlive(newOwner(), now)).toBe(true);
    expect(isAlive(newOwner(), old)).toBe(false);
    expect(isAlive(newOwner(), null)).toBe(false);
  });

  test('a process that is gone does not, whatever it said last', () => {
    expect(isAlive(newOwner().replace(/^\d+/, '999999999'), now)).toBe(false);
  });

  test('a process that got the number of one that is gone does not count as it', () => {
    expect(isAlive(newOwner().replace(/\.\d+\./, '.1.'), now)).toBe(process.platform !== 'linux');
  });

  test('of a process elsewhere only its last sign of life is known', () => {
    expect(isAlive('12.34.1@elsewhere', now)).toBe(true);
    expect(isAlive('12.34.1@elsewhere', old)).toBe(false);
    expect(isAlive('somebody', now)).toBe(true);
    expect(isAlive(null, null)).toBe(false);
  });
});

test('a database that another program locks for three seconds holds the talk up in no turn that runs', async () => {
  const workspace = makeWorkspace();
  const errors: unknown[] = [];
  const adapter = new FakeAdapter(async function* (_prompt, _options, say) {
    say('message_start', { messageId: 'm', model: 'fake' });
    for (let part = 1; part <= 20; part += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      say('text_delta', { text: `${part} ` });
      yield { type: 'agent', content: `part ${part}` };
    }
    say('message_stop', { stopReason: 'end_turn' });
  });
  const agent = createAgent({ workspace, onPersistError: (error) => errors.push(error) }, { adapter });
  await agent.initialize();
  const session = await agent.createSession();
  const started = Date.now();
  let lock: Awaited<ReturnType<ReturnType<typeof otherProgram>['transaction']>> | undefined;
  let lastText = 0;
  for await (const event of session.send('Talk')) {
    if (event.type === 'message_start') lock = await otherProgram(workspace).transaction('write');
    if (event.type === 'text_delta') lastText = Date.now() - started;
  }
  expect(lastText).toBeLessThan(2000);
  await new Promise((resolve) => setTimeout(resolve, 3000 - (Date.now() - started)));
  await lock?.rollback();
  await agent.destroy();
  expect(errors).toEqual([]);
  const kept = await openIn(workspace).getMessages(session.id);
  expect(kept.map(({ content }) => content)).toEqual([
    'Talk',
    ...Array.from({ length: 20 }, (_, index) => `part ${index + 1}`),
  ]);
});

test.each([
  ['the table is gone', 'ALTER TABLE messages RENAME TO elsewhere', /no such table/],
  [
    'a rule refuses it',
    "CREATE TRIGGER full BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'No room.'); END",
    /No room/,
  ],
])('an error about a row contains its reason and no words of the user: %s', async (_why, statement, reason) => {
  const workspace = makeWorkspace();
  const errors: unknown[] = [];
  const agent = createAgent(
    { workspace, onPersistError: (error) => errors.push(error) },
    { adapter: new FakeAdapter(greet) },
  );
  await agent.initialize();
  const session = await agent.createSession();
  await otherProgram(workspace).execute(statement);
  await collect(session.send('A secret of the user')).catch((error: unknown) => errors.push(error));
  const persister = openIn(workspace);
  const found = { limit: 1, offset: 0, search: 'A secret of the user' };
  if (/RENAME/.test(statement)) await persister.listSessions(found).catch((error: unknown) => errors.push(error));
  await agent.destroy().catch((error: unknown) => errors.push(error));
  const printed = inspect(errors, { depth: Infinity, showHidden: true });
  expect(printed).toMatch(reason);
  expect(printed).not.toContain('secret of the user');
});

import { describe, expect, onTestFinished, test } from 'vitest';

import {
  type Agent,
  type AgentPersister,
  createAgent,
  createMemoryPersister,
  createSqlitePersister,
} from '../../src/index.js';
import { FakeAdapter } from '../support/fake-adapter.js';
import { startServer } from '../support/start-server.js';
import { makeWorkspace } from '../support/workspace.js';

async function open(persister: AgentPersister = createMemoryPersister()) {
  const adapter = new FakeAdapter();
  const agent = createAgent({ workspace: '/pond' }, { adapter, persister });
  await agent.initialize();
  onTestFinished(() => agent.destroy().catch(() => {}));
  const read = (index = -1): string[] => adapter.asked.at(index)?.options.history.map(({ content }) => content) ?? [];
  return { agent, adapter, read };
}

async function talk(agent: Agent, ...texts: string[]) {
  const session = await agent.createSession();
  for (const text of texts) await session.send(text);
  return session;
}

const pairs = [
  ['memory', () => createMemoryPersister(), undefined],
  ['sqlite', undefined, () => makeWorkspace()],
] as const;

describe.each(pairs)('kept in %s', (_name, inMemory, folder) => {
  const kept = () => {
    const shared = inMemory?.();
    const workspace = folder?.() ?? '';
    return (): AgentPersister => shared ?? createSqlitePersister({ workspace });
  };

  test('a turn that is taken back is not read again, also by another agent; its rows stay', async () => {
    const again = kept();
    const { agent, read } = await open(again());
    const session = await talk(agent, 'one', 'two', 'three');
    const rows = await session.pop();
    expect(rows.map(({ content }) => content)).toEqual(['three', 'Hello.']);
    expect(session.getMessages()).toHaveLength(7);
    await session.send('four');
    expect(read()).toEqual(['one', 'Hello.', 'two', 'Hello.']);
    expect(session.getMessages(2).map(({ content }) => content)).toEqual(['four', 'Hello.']);
    await session.pop();
    await session.pop();
    await agent.destroy();
    const other = await open(again());
    const loaded = await other.agent.getSession(session.id);
    await loaded?.send('five');
    expect(other.read()).toEqual(['one', 'Hello.']);
    expect(loaded?.getMessages().at(-1)?.turn).toBe(5);
  });

  test('a fork has the rows up to a turn, and each session goes on by itself', async () => {
    const again = kept();
    const { agent, read } = await open(again());
    const session = await talk(agent, 'one', 'two', 'three');
    const fork = await agent.forkSession(session.id, { turn: 2, summary: 'Another way' });
    expect([fork.summary, fork.getMessages().length, fork.getTokenUsage().used]).toEqual(['Another way', 4, 0]);
    await fork.send('four');
    expect(read()).toEqual(['one', 'Hello.', 'two', 'Hello.']);
    expect(session.getMessages()).toHaveLength(6);
    const whole = await agent.forkSession(session.id);
    expect([whole.summary, whole.getMessages().length]).toEqual(['one', 6]);
    await agent.destroy();
    const loaded = await (await open(again())).agent.getSession(fork.id);
    expect(loaded?.getMessages().map(({ content, seq }) => [seq, content])).toEqual([
      ...[
        [1, 'one'],
        [2, 'Hello.'],
        [3, 'two'],
        [4, 'Hello.'],
        [5, 'four'],
        [6, 'Hello.'],
      ],
    ]);
  });

  test('old sessions are deleted by age and by number, with their rows, and the others stay', async () => {
    const again = kept();
    const persister = again();
    const { agent } = await open(persister);
    const sessions = [await talk(agent, 'one'), await talk(agent, 'two'), await talk(agent, 'three')];
    const [one = '', two = '', three = ''] = sessions.map(({ id }) => id);
    expect(await agent.prune({ olderThanMs: 60_000 })).toEqual({ deleted: [], busy: [] });
    expect(await agent.prune({ keep: 2, isDryRun: true })).toEqual({ deleted: [one], busy: [] });
    expect(await agent.prune({ keep: 2 })).toEqual({ deleted: [one], busy: [] });
    expect([await agent.getSession(one), await persister.getMessageCount(one)]).toEqual([null, 0]);
    const data = await persister.getSession(two);
    if (data !== null) await persister.saveSession({ ...data, lastActivity: '2020-01-01T00:00:00.000Z' });
    expect(await agent.prune({ olderThanMs: 60_000, keep: 1 })).toEqual({ deleted: [two], busy: [] });
    expect((await agent.getSessions()).map(({ id }) => id)).toEqual([three]);
  });
});

describe('refused', () => {
  test('a fork at a turn that is not there, or was taken back: no session is made', async () => {
    const { agent } = await open();
    const session = await talk(agent, 'one', 'two');
    await session.pop();
    for (const turn of [2, 7]) {
      await expect(agent.forkSession(session.id, { turn })).rejects.toMatchObject({
        ...{ code: 'no_such_turn', message: /no turn \d. It has 1\./ },
      });
    }
    await expect(agent.forkSession('none')).rejects.toMatchObject({ code: 'no_such_session' });
    expect(await agent.getSessions()).toHaveLength(1);
  });

  test('taking back a turn of a session that has none', async () => {
    const { agent } = await open();
    const session = await talk(agent, 'one');
    await session.pop();
    await expect(session.pop()).rejects.toMatchObject({ code: 'no_such_turn' });
    expect((await session.send('two'), session.state)).toBe('idle');
  });

  test('changing a talk that the program of a driver keeps by itself', async () => {
    const adapter = new FakeAdapter(async function* (_prompt, _options, say) {
      yield { type: 'system', content: 'theirs-1', metadata: { kind: 'agent_session' } };
      say('message_stop', { stopReason: 'end_turn' });
    });
    const agent = createAgent({ workspace: '/pond' }, { adapter, persister: createMemoryPersister() });
    await agent.initialize();
    onTestFinished(() => agent.destroy());
    const session = await talk(agent, 'one', 'two', 'three');
    for (const edit of [session.pop(), session.compact(), agent.forkSession(session.id)])
      await expect(edit).rejects.toMatchObject({ code: expect.stringMatching(/not_supported|session_busy/) });
    await expect(session.pop()).rejects.toMatchObject({ code: 'not_supported' });
    expect(session.getMessages().filter(({ type }) => type === 'user')).toHaveLength(3);
  });

  test('pruning without a limit, or with a number that is none', async () => {
    const { agent } = await open();
    for (const options of [{}, { keep: -1 }, { olderThanMs: Number.NaN }])
      await expect(agent.prune(options)).rejects.toMatchObject({ code: 'bad_settings' });
  });

  test('a session in a turn stays when old ones are pruned', async () => {
    const workspace = makeWorkspace();
    const { agent } = await open(createSqlitePersister({ workspace }));
    const session = await talk(agent, 'one');
    const other = createSqlitePersister({ workspace });
    onTestFinished(() => other.close());
    await other.claimSession?.(session.id);
    expect(await agent.prune({ keep: 0 })).toEqual({ deleted: [], busy: [session.id] });
    await expect(session.pop()).rejects.toMatchObject({ code: 'session_busy' });
    expect(session.getMessages()).toHaveLength(2);
  });

  test('a fork whose rows cannot be kept leaves no session behind', async () => {
    const inner = createMemoryPersister();
    const { agent } = await open(inner);
    const session = await talk(agent, 'one');
    await expect(
      inner.createSession({ ...(await inner.getSession(session.id))!, id: 'copy' }, session.getMessages()),
    ).rejects.toMatchObject({ code: 'persist_failed' });
    expect(await inner.getSession('copy')).toBeNull();
  });
});

test('a summary that knows of a turn that was taken back is no longer read, and a fork has none of it', async () => {
  const { agent, read } = await open();
  const session = await talk(agent, 'one', 'two', 'three');
  expect(await session.compact()).toMatchObject({ throughTurn: 1 });
  for (let turn = 3; turn >= 1; turn -= 1) await session.pop();
  const fork = await agent.forkSession(session.id);
  expect(fork.getMessages()).toEqual([]);
  await session.send('four');
  expect(read()).toEqual([]);
});

test('over HTTP', async () => {
  await using server = await startServer();
  const id = await server.newSession();
  const post = (path: string, body?: object) => server.json(path, { method: 'POST', ...(body && { body }) });
  for (const content of ['one', 'two', 'three'])
    await server.json(`/sessions/${id}/messages`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: { content },
    });
  expect((await server.json(`/sessions/${id}/messages?latest=2`)).body.items).toMatchObject([{ content: 'three' }, {}]);
  expect(await post(`/sessions/${id}/compact`)).toMatchObject({
    ...{ status: 200, body: { compaction: { throughTurn: 1, summary: 'Hello there.' } } },
  });
  expect((await post(`/sessions/${id}/pop`)).body.items[0]).toMatchObject({ turn: 3, content: 'three' });
  expect(await post(`/sessions/${id}/fork`, { turn: 1, title: 'Again' })).toMatchObject({
    ...{ status: 201, body: { summary: 'Again', messageCount: 2 } },
  });
  expect(await post(`/sessions/${id}/fork`, { turn: 9 })).toMatchObject({
    status: 404,
    body: { error: { code: 'no_such_turn' } },
  });
  expect(await post('/sessions/prune', {})).toMatchObject({ status: 400, body: { error: { message: /olderThan/ } } });
  expect((await post('/sessions/prune', { olderThan: '3 moons' })).status).toBe(400);
  expect((await post('/sessions/prune', { keep: 1, dryRun: true })).body.deleted).toHaveLength(1);
  expect((await post('/sessions/prune', { keep: 0 })).body.deleted).toHaveLength(2);
  expect((await server.json('/sessions')).body.total).toBe(0);
});

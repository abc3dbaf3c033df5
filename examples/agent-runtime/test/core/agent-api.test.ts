import { describe, expect, onTestFinished, test } from 'vitest';

import {
  type Agent,
  type AgentPersister,
  contentOf,
  createAgent,
  createAgentX,
  createMemoryPersister,
} from '../../src/index.js';
import { collect, textOf } from '../support/collect.js';
import { FakeAdapter, greet } from '../support/fake-adapter.js';

async function open(persister: AgentPersister = createMemoryPersister(), resumeSessionId?: string) {
  const adapter = new FakeAdapter(greet);
  const agent = createAgent({ workspace: '/pond', resumeSessionId }, { adapter, persister });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return { agent, adapter };
}

/** A persister that outlives its agent, as a database does. */
function lasting(): AgentPersister {
  return createMemoryPersister();
}

async function say(agent: Agent, ...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const turn = agent.chat(text);
    await turn;
    ids.push(turn.sessionId);
  }
  return ids;
}

describe('chat()', () => {
  test('needs a session for a message with an id', async () => {
    const { agent } = await open();
    await expect(Promise.resolve(agent.chat('Hello', { id: 'once' }))).rejects.toMatchObject({ code: 'bad_message' });
    expect(await agent.getSessions()).toEqual([]);
  });

  test('says which session it made: on the turn at once, and in the first event', async () => {
    const { agent } = await open();
    const turn = agent.chat('Hello');
    const [first] = await collect(turn);
    expect(first).toMatchObject({ type: 'message_start', data: { sessionId: turn.sessionId } });
    expect((await agent.getSession(turn.sessionId))?.summary).toBe('Hello');
    const again = agent.chat('Again', { sessionId: turn.sessionId });
    await again;
    expect(again.sessionId).toBe(turn.sessionId);
    expect((await agent.getSessions()).map(({ id }) => id)).toEqual([turn.sessionId]);
  });

  test('goes on with the session to be resumed, in another agent', async () => {
    const persister = lasting();
    const [id = ''] = await say((await open(persister)).agent, 'My duck is called Alfred.');
    const { agent, adapter } = await open(persister, id);
    expect(await say(agent, 'What is it called?')).toEqual([id]);
    expect(adapter.asked[0]?.options.history.map(({ content }) => content)).toEqual([
      'My duck is called Alfred.',
      'Hello.',
    ]);
  });

  test('cannot resume a session that is not there: initialize() names it', async () => {
    const agent = createAgent(
      { workspace: '/pond', resumeSessionId: 'gone' },
      { adapter: new FakeAdapter(), persister: createMemoryPersister() },
    );
    await expect(agent.initialize()).rejects.toMatchObject({ code: 'no_such_session', message: /gone/ });
  });

  test('of createAgentX() resumes the session that its driver config names', async () => {
    const persister = lasting();
    const [id = ''] = await say((await open(persister)).agent, 'Quack');
    const agent = createAgentX({
      driver: 'echo',
      persister,
      driverConfig: { agentId: 'a', resumeSessionId: id },
    });
    await agent.initialize();
    onTestFinished(() => agent.destroy());
    const turn = agent.chat('Quack quack');
    expect(textOf(await collect(turn))).toBe('Quack quack');
    expect(turn.sessionId).toBe(id);
  });
});

describe('sessions', () => {
  test('are given page by page, newest activity first', async () => {
    const { agent } = await open();
    const ids = await say(agent, 'One', 'Two', 'Three');
    const pages = await Promise.all([agent.getSessions(2), agent.getSessions(2, 2), agent.getSessions()]);
    expect(pages.map((page) => page.length)).toEqual([2, 1, 3]);
    expect(pages.slice(0, 2).flat()).toEqual(pages[2]);
    expect(new Set(pages[2]?.map(({ id }) => id))).toEqual(new Set(ids));
    expect(await agent.listSessions({ search: 'two', limit: 5 })).toMatchObject({
      total: 1,
      items: [{ summary: 'Two' }],
    });
  });

  test.each([{ limit: -1 }, { offset: 1.5 }, { limit: Number.NaN }])('are not cut at %j', async (query) => {
    const { agent } = await open();
    await expect(agent.listSessions(query)).rejects.toMatchObject({ code: 'bad_settings', message: /whole number/ });
  });

  test('of earlier runs are loaded with their messages', async () => {
    const persister = lasting();
    await say((await open(persister)).agent, 'One', 'Two', 'Three');
    const { agent } = await open(persister);
    const loaded = await agent.loadHistoricalSessions(2);
    expect(loaded.map((session) => session.getMessages().length)).toEqual([2, 2]);
    expect(await agent.loadHistoricalSessions()).toHaveLength(3);
    expect(await agent.getSession(loaded[0]?.id ?? '')).toBe(loaded[0]);
  });
});

test('the content of a row is what was sent: a text, or blocks', async () => {
  const { agent } = await open();
  const session = await agent.createSession();
  const blocks = [{ type: 'text', text: 'Look' } as const, { type: 'image', data: 'QUJD' } as const];
  await session.send('Hello');
  await session.send(blocks);
  const said = session.getMessages().filter(({ type }) => type === 'user');
  expect(said.map(contentOf)).toEqual(['Hello', blocks]);
  expect(said[1]?.content).toBe('Look\n[image]');
});

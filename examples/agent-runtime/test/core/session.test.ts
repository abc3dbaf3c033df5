import { describe, expect, test, vi } from 'vitest';

import {
  type Agent,
  AgentError,
  createAgent,
  createMemoryPersister,
  type Session,
  type SessionState,
  type StoredMessage,
  TRANSITIONS,
} from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';
import { FakeAdapter, greet, talkOn } from '../support/fake-adapter.js';
import { makeWorkspace } from '../support/workspace.js';

async function open(adapter = new FakeAdapter()) {
  const persister = createMemoryPersister();
  const agent = createAgent({ workspace: '.' }, { adapter, persister });
  await agent.initialize();
  return { agent, persister, adapter, session: await agent.createSession() };
}

const tick = (ms = 10): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('states', () => {
  /** Brings a new session into a state. */
  async function inState(state: SessionState): Promise<{ agent: Agent; session: Session }> {
    const { agent, session } = await open(new FakeAdapter(state === 'active' ? talkOn : greet));
    if (state === 'idle') await session.send('Hello');
    if (state === 'active') void session.send('Hello');
    if (state === 'completed') await session.complete();
    if (state === 'aborted') await session.abort();
    if (state === 'deleted') await session.delete();
    await tick();
    expect(session.state).toBe(state);
    return { agent, session };
  }

  const states = Object.keys(TRANSITIONS) as SessionState[];
  const calls = ['send', 'interrupt', 'abort', 'complete', 'delete'] as const;
  const cases = states.flatMap((state) => calls.map((call) => [state, call, TRANSITIONS[state][call]] as const));

  test.each(cases)('%s, then %s: %j', async (state, call, outcome) => {
    const { agent, session } = await inState(state);
    const done = call === 'send' ? session.send('Again') : session[call]();
    const error = await Promise.resolve(call === 'send' && outcome === 'active' ? undefined : done).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    if (typeof outcome === 'object') {
      expect(error).toBeInstanceOf(AgentError);
      expect(error).toMatchObject({ code: outcome.error });
      expect(session.state).toBe(state);
    } else {
      expect(error).toBeUndefined();
      expect(session.state).toBe(outcome === 'no-op' ? state : outcome);
    }
    await agent.destroy();
  });

  test('the table is that of the specification', () => {
    expect(TRANSITIONS.active).toMatchObject({ interrupt: 'idle', abort: 'aborted', delete: 'deleted' });
    expect(TRANSITIONS.completed.send).toEqual({ error: 'session_closed' });
    expect(TRANSITIONS.deleted.delete).toBe('no-op');
  });

  test.each(['completed', 'aborted'] as const)('the error names the state: %s', async (state) => {
    const { session } = await inState(state);
    await expect(session.send('Hello')).rejects.toThrow(state);
  });

  test('the state is kept', async () => {
    for (const state of ['idle', 'completed', 'aborted'] as const) {
      const { agent, session } = await inState(state);
      const [kept] = await agent.getSessions();
      expect(kept).toMatchObject({ id: session.id, state });
    }
  });
});

describe('a turn', () => {
  test('runs to its end, also if nobody looks', async () => {
    const { session } = await open();
    void session.send('Hello');
    await tick(50);
    expect(session.state).toBe('idle');
    expect(session.getMessages().map(({ content }) => content)).toEqual(['Hello', 'Hello.']);
  });

  test('can be read late, twice, and awaited', async () => {
    const { session } = await open();
    const turn = session.send('Hello');
    await turn;
    expect(typesOf(await collect(turn))).toEqual(['message_start', 'text_delta', 'message_delta', 'message_stop']);
    expect(textOf(await collect(turn))).toBe('Hello.');
  });

  test('is the current one while it runs, and is read from its start', async () => {
    const { session } = await open(new FakeAdapter(talkOn));
    void session.send('Hello');
    await tick();
    const reader = collect(session.currentTurn ?? []);
    await session.interrupt();
    expect(typesOf(await reader)).toEqual(['message_start', 'text_delta', 'interrupted']);
    expect(session.currentTurn).toBeNull();
  });

  test('its last event comes when the next turn can start', async () => {
    const { session } = await open();
    for await (const { type } of session.send('Hello')) {
      if (type === 'message_stop') expect(session.state).toBe('idle');
    }
    expect(textOf(await collect(session.send('Again')))).toBe('Hello.');
  });

  test('the adapter is given the message and, apart from it, all rows before', async () => {
    const { session, adapter } = await open();
    await session.send('One');
    await session.send('Two', { model: 'other', thinking: 'low' });
    const { prompt, options } = adapter.asked[1] ?? {};
    expect(prompt).toMatchObject({ content: 'Two' });
    expect(options?.history.map(({ content }) => content)).toEqual(['One', 'Hello.']);
    expect(options).toMatchObject({ sessionId: session.id, model: 'other', thinking: 'low' });
    expect(options?.history.some(({ id }) => id === prompt?.id)).toBe(false);
  });

  test('interrupted, it keeps what was said, and the session goes on', async () => {
    let answer = talkOn;
    const { session } = await open(new FakeAdapter((...given) => answer(...given)));
    const turn = session.send('Hello');
    await tick();
    await session.interrupt();
    expect((await collect(turn)).at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
    expect(session.getMessages().map(({ content }) => content)).toEqual(['Hello', 'And so']);
    answer = greet;
    await session.send('Go on');
    expect(session.getMessages()).toHaveLength(4);
  });

  test('an adapter that takes no notice of an interruption is not waited for', async () => {
    const deaf = new FakeAdapter(async function* () {
      yield { type: 'agent', content: 'I hear' };
      await new Promise(() => {});
    });
    const { session } = await open(deaf);
    void session.send('Hello');
    await tick();
    await session.interrupt();
    expect(session.state).toBe('idle');
    expect(session.getMessages().map(({ content }) => content)).toEqual(['Hello', 'I hear']);
  });

  test('the signal of a message interrupts its turn, also before it began', async () => {
    const { session } = await open(new FakeAdapter(talkOn));
    const events = await collect(session.send('Hello', { signal: AbortSignal.abort() }));
    expect(events.at(-1)?.type).toBe('interrupted');
    expect(session.getMessages()[0]).toMatchObject({ type: 'user', content: 'Hello' });
    expect(session.state).toBe('idle');
  });

  test('calls without a result get one that says "interrupted"', async () => {
    const { session } = await open(
      new FakeAdapter(async function* () {
        yield { type: 'tool', content: 'look', isToolUse: true, toolName: 'look', toolId: 'c1', toolInput: {} };
        throw new Error('The stream broke.');
      }),
    );
    const events = await collect(session.send('Look'));
    expect(typesOf(events)).toEqual(['message_start', 'error', 'message_stop']);
    expect(events[1]?.data).toMatchObject({ message: 'The stream broke.', isRetryable: false });
    expect(session.state).toBe('idle');
    expect(session.getMessages().at(-1)).toMatchObject({ type: 'tool', isToolUse: false, toolId: 'c1', seq: 3 });
    expect(session.getMessages().at(-1)?.content).toContain('interrupted');
  });

  test('a message that says nothing, or in a form that is not known, is refused and starts no turn', async () => {
    const { session, adapter } = await open();
    const wrong: unknown[] = ['', [], [{ type: 'sound' }], [{ type: 'image' }], 7, [null]];
    for (const content of wrong) {
      await expect(session.send(content as string)).rejects.toMatchObject({ code: 'bad_message' });
    }
    expect([session.state, adapter.asked.length]).toEqual(['created', 0]);
  });
});

describe('rows', () => {
  test('are numbered from one, by turn, and deeply frozen', async () => {
    const { session } = await open();
    await session.send([
      { type: 'text', text: 'Look' },
      { type: 'image', data: new Uint8Array([1, 2]), mediaType: 'image/png' },
    ]);
    await session.send('Again');
    expect(session.getMessages().map(({ seq, turn }) => [seq, turn])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    const [first] = session.getMessages();
    expect(first?.metadata?.blocks?.[1]).toEqual({ type: 'image', data: 'AQI=', mediaType: 'image/png' });
    expect(Object.isFrozen(session.getMessages())).toBe(true);
    expect(Object.isFrozen(first?.metadata?.blocks?.[0])).toBe(true);
  });

  test('a late subscriber gets what is there first, and hears no more when it leaves', async () => {
    const { session } = await open();
    await session.send('One');
    const heard: string[] = [];
    const leave = session.subscribe(({ content }) => heard.push(content));
    expect(heard).toEqual(['One', 'Hello.']);
    await session.send('Two');
    leave();
    await session.send('Three');
    expect(heard).toEqual(['One', 'Hello.', 'Two', 'Hello.']);
  });

  test('a subscriber that throws does not end the turn', async () => {
    const { session } = await open();
    session.subscribe(() => {
      throw new Error('I am a bad listener.');
    });
    expect((await collect(session.send('One'))).at(-1)?.type).toBe('message_stop');
  });

  test('tokens are summed over turns', async () => {
    const { session, agent } = await open();
    expect(session.getTokenUsage().used).toBe(0);
    await session.send('One');
    await session.send('Two');
    const usage = { used: 30, breakdown: { input: 20, output: 10, cacheRead: 6, cacheCreation: 0, reasoning: 4 } };
    expect(session.getTokenUsage()).toEqual(usage);
    expect((await agent.getSessions())[0]?.usage).toEqual(usage);
  });

  test('the summary is the first line that the user wrote, unless it was set', async () => {
    const { agent, session } = await open();
    expect(session.summary).toBeNull();
    await session.send(`\n  ${'🦆'.repeat(90)}\nsecond line`);
    expect(session.summary).toBe('🦆'.repeat(80));
    await session.send('Other');
    expect((await agent.getSessions())[0]?.summary).toBe('🦆'.repeat(80));
    const titled = await agent.createSession({ summary: 'Ducks' });
    await titled.send('Hello');
    expect(titled.summary).toBe('Ducks');
  });

  test('what no database can hold is replaced, so that a row is read as it was', async () => {
    const { session } = await open();
    await session.send('zero \0, half \uD83E, whole 🦆');
    expect(session.getMessages()[0]?.content).toBe('zero \uFFFD, half \uFFFD, whole 🦆');
  });

  test('a result that JSON has no words for is kept as far as it can be', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const results = [loop, 10n, new Error('No.'), undefined, null];
    const { session } = await open(
      new FakeAdapter(async function* () {
        for (const [index, toolResult] of results.entries()) {
          const tool = { type: 'tool', content: '', toolName: 'look', toolId: String(index) } as const;
          yield { ...tool, isToolUse: true, toolInput: {} };
          yield { ...tool, isToolUse: false, toolResult };
        }
      }),
    );
    await session.send('Look');
    const kept = session.getMessages().filter(({ isToolUse }) => isToolUse === false);
    expect(kept.map(({ toolResult }) => toolResult)).toEqual([
      expect.stringContaining('cannot be written'),
      '10',
      'No.',
      undefined,
      null,
    ]);
  });
});

describe('the agent', () => {
  test('nothing comes before initialize(), and it is called once', async () => {
    const agent = createAgent({ workspace: '.' }, { adapter: new FakeAdapter(), persister: createMemoryPersister() });
    const calls = [
      () => agent.createSession(),
      () => agent.getSession('x'),
      () => agent.getSessions(),
      () => agent.deleteSession('x'),
      () => Promise.resolve(agent.chat('Hello')),
      () => agent.destroy(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'not_initialized',
        message: expect.stringContaining('initialize()') as string,
      });
    }
    await agent.initialize();
    await expect(agent.initialize()).rejects.toMatchObject({ code: 'already_initialized' });
    await agent.destroy();
    await agent.destroy();
    await expect(agent.createSession()).rejects.toMatchObject({ code: 'disposed' });
  });

  test('chat() answers in a new session, or in the one that is named', async () => {
    const { agent, session } = await open();
    expect(textOf(await collect(agent.chat('Hello', { sessionId: session.id })))).toBe('Hello.');
    await agent.chat('Hello');
    expect((await agent.getSessions()).map(({ messageCount }) => messageCount)).toEqual([2, 2]);
    await expect(agent.chat('Hello', { sessionId: 'none' })).rejects.toMatchObject({ code: 'no_such_session' });
  });

  test('two that ask for a session get the same one; a deleted one is gone', async () => {
    const { persister, session } = await open();
    const other = createAgent({ workspace: '.' }, { adapter: new FakeAdapter(), persister });
    await other.initialize();
    const [one, two] = await Promise.all([other.getSession(session.id), other.getSession(session.id)]);
    expect(one).not.toBeNull();
    expect(one).toBe(two);
    await one?.delete();
    expect(await other.getSession(session.id)).toBeNull();
    expect(await other.getSessions()).toEqual([]);
    expect(await other.getSession('none')).toBeNull();
  });

  test('a system prompt of the session is its first row', async () => {
    const { agent, persister } = await open();
    const { id } = await agent.createSession({ systemPrompt: 'You are a duck.' });
    const row: Partial<StoredMessage> = { seq: 1, turn: 0, type: 'system', content: 'You are a duck.' };
    expect(await persister.getMessages(id)).toMatchObject([row]);
  });

  test('destroy() ends running turns', async () => {
    const { agent, session } = await open(new FakeAdapter(talkOn));
    const turn = session.send('Hello');
    await tick();
    await agent.destroy();
    expect((await collect(turn)).at(-1)?.type).toBe('interrupted');
  });

  test('a session of an agent that was destroyed takes no more messages', async () => {
    const agent = createAgent({ workspace: makeWorkspace() }, { adapter: new FakeAdapter() });
    await agent.initialize();
    const session = await agent.createSession();
    await agent.destroy();
    await expect(session.send('Hello')).rejects.toMatchObject({ code: 'disposed' });
  });

  test('createAgent opens nothing before initialize()', () => {
    const persister = { ...createMemoryPersister(), open: vi.fn<() => Promise<void>>() };
    createAgent({ workspace: '.' }, { adapter: new FakeAdapter(), persister });
    expect(persister.open).not.toHaveBeenCalled();
  });
});

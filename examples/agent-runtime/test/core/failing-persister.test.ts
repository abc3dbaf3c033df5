import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  AgentError,
  type AgentPersister,
  createAgent,
  createMemoryPersister,
  type StoredMessage,
} from '../../src/index.js';
import { FakeAdapter } from '../support/fake-adapter.js';

/** A persister whose rows cannot be written as long as the test says so. */
function failing() {
  const inner = createMemoryPersister();
  const state = { isBroken: false, written: [] as number[], attempts: 0 };
  const persister: AgentPersister = Object.assign(Object.create(inner) as AgentPersister, {
    ...Object.fromEntries(
      (
        [
          'getSession',
          'listSessions',
          'getMessages',
          'deleteSession',
          'flush',
          'close',
          'saveSession',
          'createSession',
        ] as const
      ).map((name) => [name, (...given: never[]) => (inner[name] as (...args: never[]) => unknown)(...given)]),
    ),
    claimSession: undefined,
    saveMessage: async (id: string, message: StoredMessage) => {
      state.attempts += 1;
      if (state.isBroken) throw new Error('The disk is full.');
      state.written.push(message.seq);
      await inner.saveMessage(id, message);
    },
  });
  return { persister, state };
}

async function open() {
  const { persister, state } = failing();
  const errors: (StoredMessage | undefined)[] = [];
  const warnings: string[] = [];
  const agent = createAgent(
    {
      workspace: '.',
      onPersistError: (_error, message) => errors.push(message),
      onWarning: (sentence) => warnings.push(sentence),
    },
    { adapter: new FakeAdapter(), persister },
  );
  await agent.initialize();
  return { agent, state, errors, warnings, session: await agent.createSession() };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('the talk goes on, each failure is told, and what waits is written later, in order', async () => {
  const { agent, session, state, errors, warnings } = await open();
  state.isBroken = true;
  await vi.runOnlyPendingTimersAsync();
  const turn = session.send('One');
  await vi.advanceTimersByTimeAsync(1);
  await turn;
  expect(session.state).toBe('idle');
  expect(errors[0]).toMatchObject({ seq: 1, content: 'One' });
  const second = session.send('Two');
  await vi.advanceTimersByTimeAsync(2000);
  await second;
  expect(warnings).toHaveLength(1);
  expect(state.attempts).toBe(5);
  await vi.advanceTimersByTimeAsync(4000);
  expect(state.attempts).toBe(6);
  state.isBroken = false;
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.written).toEqual([1, 2, 3, 4]);
  await agent.destroy();
});

test('destroy() tries once more, and throws what could not be kept', async () => {
  const { agent, session, state } = await open();
  state.isBroken = true;
  const turn = session.send('One');
  await vi.advanceTimersByTimeAsync(1);
  await turn;
  const error: unknown = await agent.destroy().catch((failure: unknown) => failure);
  expect(error).toMatchObject({
    code: 'persist_failed',
    message: 'Could not keep 2 rows: The disk is full.',
    messages: [{ seq: 1 }, { seq: 2 }],
  });
});

test('destroy() writes what waits at once, if it can be written now', async () => {
  const { agent, session, state } = await open();
  state.isBroken = true;
  const turn = session.send('One');
  await vi.advanceTimersByTimeAsync(1);
  await turn;
  state.isBroken = false;
  await agent.destroy();
  expect(state.written).toEqual([1, 2]);
});

test('a row that is refused together with the session is left out alone: the others and the session are kept', async () => {
  const inner = createMemoryPersister();
  const refused = new AgentError('persist_failed', 'The row is refused.');
  const persister: AgentPersister = Object.assign(inner, {
    claimSession: undefined,
    saveTurn: async () => Promise.reject(refused),
  });
  const save = inner.saveMessage.bind(inner);
  inner.saveMessage = async (id, row) => (row.content === 'bad' ? Promise.reject(refused) : save(id, row));
  const adapter = new FakeAdapter(async function* (_prompt, _options, say) {
    yield { type: 'agent', content: 'good' };
    yield { type: 'agent', content: 'bad' };
    yield { type: 'agent', content: 'last' };
    say('message_stop', { stopReason: 'end_turn' });
  });
  const lost: (string | undefined)[] = [];
  const config = { workspace: '.', onPersistError: (_error: unknown, row?: StoredMessage) => lost.push(row?.content) };
  const agent = createAgent(config, { adapter, persister });
  await agent.initialize();
  const session = await agent.createSession();
  const turn = session.send('One');
  await vi.advanceTimersByTimeAsync(100);
  await turn;
  expect((await inner.getMessages(session.id)).map(({ content }) => content)).toEqual(['One', 'good', 'last']);
  expect(await inner.getSession(session.id)).toMatchObject({ state: 'idle' });
  expect(lost).toEqual(['bad']);
});

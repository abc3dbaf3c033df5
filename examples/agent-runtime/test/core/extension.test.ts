import { expect, onTestFinished, test } from 'vitest';

import { supportSessions } from '../../extend/without-card-numbers.js';
import {
  type AdapterMessage,
  type AdapterOptions,
  BaseSession,
  createAgent,
  createMemoryPersister,
  type SessionFactory,
} from '../../src/index.js';
import { FakeAdapter } from '../support/fake-adapter.js';

const WORDS = 'It is ticket POND-7, for card 4111 1111 1111 1111.';

const adapter = () =>
  new FakeAdapter(async function* () {
    yield { type: 'agent', content: WORDS };
  });

async function open(sessionFactory: SessionFactory, persister = createMemoryPersister(), answers = adapter()) {
  const agent = createAgent({ workspace: '/pond' }, { adapter: answers, persister, sessionFactory });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return agent;
}

test('the example of an own session changes what is kept, and finds the id of the talk, after a restart too', async () => {
  const persister = createMemoryPersister();
  const turn = (await open(supportSessions, persister)).chat('Hello');
  await turn;
  const later = adapter();
  const session = await (await open(supportSessions, persister, later)).getSession(turn.sessionId);
  expect(session?.getMessages().map(({ content }) => content)).toEqual([
    'Hello',
    'It is ticket POND-7, for card [card].',
  ]);
  expect(session?.agentSessionId).toBe('POND-7');
  await session?.send('Again');
  expect(later.asked[0]?.options.agentSessionId).toBe('POND-7');
});

test('a kind of session may leave rows out, and answer by itself', async () => {
  class ShoutingSession extends BaseSession {
    protected async *ask({ content }: { content: unknown }, _options: AdapterOptions): AsyncGenerator<AdapterMessage> {
      yield { type: 'system', content: 'not for keeping' };
      yield { type: 'agent', content: String(content).toUpperCase() };
    }

    protected async release(): Promise<void> {}

    protected override transformMessage(message: AdapterMessage): AdapterMessage | undefined {
      return message.type === 'system' ? undefined : message;
    }
  }
  const agent = await open({
    createSession: (id, metadata, answers, options, persister, messages, usage) =>
      new ShoutingSession({ id, metadata, adapter: answers, options, persister, messages, usage }),
  });
  const session = await agent.createSession();
  await session.send('quack');
  expect(session.getMessages().map(({ content }) => content)).toEqual(['quack', 'QUACK']);
});

import { expect, onTestFinished, test } from 'vitest';

import { createAgent } from '../../src/index.js';
import { openSqlite } from '../../src/persistence/sqlite-database.js';
import type { SessionStore } from '../../src/persistence/store.js';
import { StorePersister } from '../../src/persistence/store-persister.js';
import { FakeAdapter, type greet } from '../support/fake-adapter.js';
import { makeWorkspace } from '../support/workspace.js';

/** The store, and what it was asked so far. */
function noted(store: SessionStore): { readonly store: SessionStore; readonly asked: string[] } {
  const asked: string[] = [];
  const noting = new Proxy(store, {
    get(target, name: keyof SessionStore) {
      const method: unknown = target[name];
      if (typeof method !== 'function') return method;
      return (...given: unknown[]): unknown => {
        asked.push(name);
        return Reflect.apply(method, target, given);
      };
    },
  });
  return { store: noting, asked };
}

const answerAndEndLater: typeof greet = async function* (_prompt, _options, say) {
  say('message_start', { messageId: 'm1', model: 'fake' });
  yield { type: 'agent', content: 'Hello.' };
  await new Promise((resolve) => setTimeout(resolve, 3));
  say('message_stop', { stopReason: 'end_turn' });
};

test('a turn asks the database three times: a claim, what the user said, and the answer with the session', async () => {
  const workspace = makeWorkspace();
  const { store, asked } = noted(await openSqlite(workspace));
  const persister = new StorePersister({ isSerial: true, open: async () => store });
  const agent = createAgent({ workspace }, { adapter: new FakeAdapter(answerAndEndLater), persister });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  const session = await agent.createSession();
  for (const words of ['Hello.', 'And again.']) {
    asked.length = 0;
    await session.send(words);
    expect(asked).toEqual(['take', 'write', 'write']);
  }
  expect(await persister.getSession(session.id)).toMatchObject({ state: 'idle', owner: null, messageCount: 4 });
});

import { expect, test } from 'vitest';

import { createAgent, createMemoryPersister } from '../../src/index.js';
import { FakeAdapter } from '../support/fake-adapter.js';

test('a session that is asked for again shows what another program wrote, and whether it still may be written', async () => {
  const persister = createMemoryPersister();
  const [one, two] = [0, 1].map(() => createAgent({ workspace: '.' }, { adapter: new FakeAdapter(), persister }));
  await one?.initialize();
  await two?.initialize();
  const mine = await one?.createSession();
  const theirs = await two?.getSession(mine?.id ?? '');
  await mine?.send('Hello');
  expect(theirs?.getMessages()).toEqual([]);
  expect(await two?.getSession(mine?.id ?? '')).toBe(theirs);
  expect(theirs?.getMessages().map(({ content }) => content)).toEqual(['Hello', 'Hello.']);
  expect([theirs?.summary, theirs?.getTokenUsage().used]).toEqual(['Hello', 15]);
  await mine?.complete();
  await two?.getSession(mine?.id ?? '');
  expect(theirs?.state).toBe('completed');
  await mine?.delete();
  expect(await two?.getSession(mine?.id ?? '')).toBeNull();
});

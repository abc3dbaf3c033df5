import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished, test } from 'vitest';

import { createAgent, createMonoDriver, createSqlitePersister } from '../../src/index.js';
import { collect, textOf } from '../support/collect.js';
import { makeWorkspace } from '../support/workspace.js';

async function world() {
  const server = await createScriptedServer({ otherwise: 'Fine.' });
  onTestFinished(() => server.close());
  const workspace = makeWorkspace();
  const agent = createAgent({ workspace, model: 'any', apiKey: 'test', baseUrl: server.baseURL });
  await agent.initialize();
  const turn = agent.chat('My duck is called Alfred.');
  await turn;
  await agent.chat('It is blue.', { sessionId: turn.sessionId });
  const session = await agent.getSession(turn.sessionId);
  await session?.pop();
  await agent.destroy();
  const persister = createSqlitePersister({ workspace });
  onTestFinished(() => persister.close());
  const start = async (resumeSessionId: string) => {
    const driver = createMonoDriver({
      ...{ model: 'any', apiKey: 'test', baseUrl: server.baseURL, resumeSessionId },
      loadMessages: (id) => persister.getMessages(id),
    });
    await driver.initialize();
    onTestFinished(() => driver.dispose());
    return driver;
  };
  return { server, start, id: turn.sessionId };
}

test('a driver alone goes on with a stored session: it reads what holds, and goes by its id', async () => {
  const { server, start, id } = await world();
  const driver = await start(id);
  expect(driver.sessionId).toBe(id);
  expect(textOf(await collect(driver.receive({ content: 'What is it called?' })))).toBe('Fine.');
  const sent = JSON.stringify(server.requests.at(-1)?.input);
  expect(sent).toMatch(/Alfred.*Fine\..*What is it called/s);
  expect(sent).not.toContain('blue');
});

test('a session without messages is a new talk', async () => {
  const { server, start } = await world();
  await collect((await start('nowhere')).receive({ content: 'Hello' }));
  expect(server.requests.at(-1)?.input).toHaveLength(1);
});

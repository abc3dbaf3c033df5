import { createScriptedServer } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { type ModelMessage, streamText } from 'ai';
import { expect, onTestFinished, test } from 'vitest';

import { createAgent } from '../../src/index.js';
import { collect } from '../support/collect.js';
import { makeWorkspace } from '../support/workspace.js';

const FIRST = [
  {
    output: [
      { type: 'reasoning' as const, summary: ['Two tools.'], encrypted: 'sealed-1' },
      { type: 'text' as const, text: 'Let me see.', phase: 'commentary' },
      { type: 'call' as const, name: 'look', arguments: { at: 'pond' } },
      { type: 'call' as const, name: 'fail', arguments: {} },
    ],
  },
  {
    output: [
      { type: 'reasoning' as const, summary: ['Done.'], encrypted: 'sealed-2' },
      { type: 'text' as const, text: 'Three ducks.' },
      { type: 'text' as const, text: 'And a goose.' },
    ],
  },
];

async function startServer() {
  const server = await createScriptedServer({ steps: [...FIRST, 'Four.'] });
  onTestFinished(() => server.close());
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    backend: 'openai',
    tools: {
      look: { execute: () => ({ content: [{ type: 'text', text: '3 ducks' }], structuredContent: { ducks: 3 } }) },
      fail: {
        execute: () => {
          throw new Error('The pond is closed.');
        },
      },
    },
  });
  onTestFinished(() => provider.close());
  return { server, provider };
}

/** What goes over the wire in the second turn, if the AI SDK's own messages are kept. */
async function wireOfTheSdk(): Promise<unknown> {
  const { server, provider } = await startServer();
  const messages: ModelMessage[] = [{ role: 'user', content: 'Look.' }];
  const { response } = streamText({ model: provider('any'), messages });
  messages.push(...(await response).messages, { role: 'user', content: 'And now?' });
  await streamText({ model: provider('any'), messages }).text;
  return server.requests.at(-1)?.body;
}

test('after a restart the conversation goes over the wire as if the messages of the SDK had been kept', async () => {
  const workspace = makeWorkspace();
  const { server, provider } = await startServer();
  const config = { workspace, model: 'any', provider };
  const agent = createAgent(config);
  await agent.initialize();
  const session = await agent.createSession();
  await collect(session.send('Look.'));
  const rows = session.getMessages();
  await agent.destroy();

  const next = createAgent(config);
  await next.initialize();
  const again = await next.getSession(session.id);
  expect(again?.getMessages()).toEqual(rows);
  await collect(again?.send('And now?') ?? []);
  await next.destroy();

  expect(server.requests.at(-1)?.body).toEqual(await wireOfTheSdk());
  expect(JSON.stringify(server.requests.at(-1)?.input)).toContain('sealed-1');
});

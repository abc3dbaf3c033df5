// Mastra: an agent with memory.
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { createResponsesProvider } from 'responses-loop/ai6';
import { z } from 'zod';
import { MIXED, MIXED_HISTORY, OURS, says, scenarios } from '../support/scenarios.mjs';
import { nextRequest, startModel, wasAborted } from '../support/scripted-model.mjs';

const server = await startModel();
const provider = createResponsesProvider({
  baseURL: server.baseURL,
  apiKey: 'test',
  mcpServers: {
    every: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'], allowTools: ['echo'] },
  },
});

const weather = createTool({
  id: 'weather',
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const agent = new Agent({
  id: 'duck',
  name: 'duck',
  instructions: 'You help.',
  model: provider('gpt-5.1'),
  tools: { weather },
  memory: new Memory({ storage: new LibSQLStore({ id: 'memory', url: ':memory:' }) }),
});

const thread = (name) => ({ memory: { thread: name, resource: 'user' } });
const ask = async (prompt, options) => {
  const stream = await agent.stream(prompt, options);
  return stream.text;
};

const failed = await scenarios({
  'plain stream': async () => says(await ask('plain'), 'Hello.'),
  'our MCP tool inside': async () => says(await ask('ours', thread('1')), `Seen: ${OURS}`),
  'second turn': async () => says(await ask('history', thread('1')), `History: echo = ${OURS}`),
  'mixed with its own tool': async () => says(await ask('mixed', thread('2')), `Seen: ${MIXED}`),
  'second turn after a mixed round': async () => says(await ask('history', thread('2')), `History: ${MIXED_HISTORY}`),
  'structured output': async () => {
    const { object } = await agent.generate('structured', {
      structuredOutput: { schema: z.object({ city: z.string() }) },
    });
    return says(JSON.stringify(object), '{"city":"Oslo"}');
  },
  abort: async () => {
    const controller = new AbortController();
    void nextRequest(server).then(() => controller.abort());
    const stream = await agent.stream('slowly', { abortSignal: controller.signal });
    await stream.consumeStream();
    await wasAborted(server);
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);

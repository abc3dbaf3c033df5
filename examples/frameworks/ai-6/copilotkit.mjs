// CopilotKit: its built-in agent, whose events go to the browser as AG-UI.
import { BuiltInAgent, defineTool } from '@copilotkit/runtime/v2';
import { createResponsesProvider } from 'responses-loop/ai6';
import { z } from 'zod';
import { MIXED, MIXED_HISTORY, OURS, says, scenarios } from '../support/scenarios.mjs';
import { nextRequest, startModel, wasAborted } from '../support/scripted-model.mjs';

const server = await startModel();
// With its own `toolParts`: AG-UI carries calls that were shown from turn to turn, and no metadata.
const provider = createResponsesProvider({
  baseURL: server.baseURL,
  apiKey: 'test',
  mcpServers: {
    every: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'], allowTools: ['echo'] },
  },
});

const weather = defineTool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const newAgent = (messages = []) => {
  const agent = new BuiltInAgent({ model: provider('gpt-5.1'), tools: [weather], maxSteps: 5 });
  agent.setMessages(messages);
  return agent;
};

/** One turn: what the agent says last. Its messages are then those that the browser would hold. */
const ask = async (agent, content) => {
  agent.addMessage({ id: crypto.randomUUID(), role: 'user', content });
  await agent.runAgent();
  return agent.messages.findLast(({ role }) => role === 'assistant').content;
};

const twoTurns = async (first) => {
  const agent = newAgent();
  await ask(agent, first);
  // Through JSON, as over the network.
  return ask(newAgent(JSON.parse(JSON.stringify(agent.messages))), 'history');
};

const failed = await scenarios({
  'plain stream': async () => says(await ask(newAgent(), 'plain'), 'Hello.'),
  'our MCP tool inside': async () => says(await ask(newAgent(), 'ours'), `Seen: ${OURS}`),
  'mixed with its own tool': async () => says(await ask(newAgent(), 'mixed'), `Seen: ${MIXED}`),
  'second turn': async () => says(await twoTurns('ours'), `History: echo = ${OURS}`),
  'second turn after a mixed round': async () => says(await twoTurns('mixed'), `History: ${MIXED_HISTORY}`),
  abort: async () => {
    const agent = newAgent();
    void nextRequest(server).then(() => agent.abortRun());
    await ask(agent, 'slowly').catch(() => {});
    await wasAborted(server);
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);

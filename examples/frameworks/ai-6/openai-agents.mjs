// OpenAI Agents SDK, through its adapter for models of the AI SDK.
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { aisdk } from '@openai/agents-extensions/ai-sdk';
import { createResponsesProvider } from 'responses-loop/ai6';
import { z } from 'zod';
import { MIXED, MIXED_HISTORY, OURS, says, scenarios } from '../support/scenarios.mjs';
import { nextRequest, startModel, wasAborted } from '../support/scripted-model.mjs';

setTracingDisabled(true);
const server = await startModel();
const provider = createResponsesProvider({
  baseURL: server.baseURL,
  apiKey: 'test',
  mcpServers: {
    every: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'], allowTools: ['echo'] },
  },
  // The adapter takes every call for one of the agent's tools, also one that says it was run by the provider.
  toolParts: 'none',
  // The adapter drops the metadata of texts, and keeps that of reasoning and of calls.
  carrier: 'reasoning',
});

const weather = tool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

const model = aisdk(provider('gpt-5.1'));
const agent = new Agent({ name: 'duck', instructions: 'You help.', model, tools: [weather] });
const structured = new Agent({ name: 'json', model, outputType: z.object({ city: z.string() }) });

const twoTurns = async (first) => {
  const { history } = await run(agent, first);
  const { finalOutput } = await run(agent, [...history, { role: 'user', content: 'history' }]);
  return finalOutput;
};
const answerTo = async (prompt) => (await run(agent, prompt)).finalOutput;

const failed = await scenarios({
  'plain stream': async () => {
    const stream = await run(agent, 'plain', { stream: true });
    let text = '';
    for await (const chunk of stream.toTextStream()) text += chunk;
    return says(text, 'Hello.');
  },
  'our MCP tool inside': async () => says(await answerTo('ours'), `Seen: ${OURS}`),
  'our MCP tool inside, streamed': async () => {
    const stream = await run(agent, 'ours', { stream: true });
    await stream.completed;
    return says(stream.finalOutput, `Seen: ${OURS}`);
  },
  'mixed with its own tool': async () => says(await answerTo('mixed'), `Seen: ${MIXED}`),
  'mixed, with text before the calls': async () => says(await answerTo('mixed aloud'), `Seen: ${MIXED}`),
  'second turn': async () => says(await twoTurns('ours'), `History: echo = ${OURS}`),
  'second turn, with text before the call': async () => says(await twoTurns('ours aloud'), `History: echo = ${OURS}`),
  'second turn after a mixed round': async () => says(await twoTurns('mixed aloud'), `History: ${MIXED_HISTORY}`),
  'structured output': async () => {
    const { finalOutput } = await run(structured, 'structured');
    return says(JSON.stringify(finalOutput), '{"city":"Oslo"}');
  },
  abort: async () => {
    const controller = new AbortController();
    void nextRequest(server).then(() => controller.abort());
    const stream = await run(agent, 'slowly', { stream: true, signal: controller.signal });
    await stream.completed.catch(() => {});
    await wasAborted(server);
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);

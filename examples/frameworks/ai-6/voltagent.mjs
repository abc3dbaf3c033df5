// VoltAgent: an agent with memory.
import { Agent, createTool, InMemoryStorageAdapter, Memory } from '@voltagent/core';
import { Output, wrapLanguageModel } from 'ai';
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

/** VoltAgent's memory forgets calls that the provider ran, unless there is reasoning in the answer: so here is some. */
const someReasoning = {
  specificationVersion: 'v3',
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream();
    const transform = (part, controller) => {
      controller.enqueue(part);
      if (part.type !== 'stream-start') return;
      controller.enqueue({ type: 'reasoning-start', id: 'some' });
      controller.enqueue({ type: 'reasoning-delta', id: 'some', delta: '…' });
      controller.enqueue({ type: 'reasoning-end', id: 'some' });
    };
    return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform })) };
  },
  wrapGenerate: async ({ doGenerate }) => {
    const { content, ...rest } = await doGenerate();
    return { ...rest, content: [{ type: 'reasoning', text: '…' }, ...content] };
  },
};

const weather = createTool({
  name: 'weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const agent = new Agent({
  name: 'duck',
  instructions: 'You help.',
  model: wrapLanguageModel({ model: provider('gpt-5.1'), middleware: someReasoning }),
  tools: [weather],
  memory: new Memory({ storage: new InMemoryStorageAdapter() }),
  logger: quiet(),
});

const conversation = (id) => ({ userId: 'user', conversationId: id });
const ask = async (prompt, options) => {
  const { textStream } = await agent.streamText(prompt, options);
  let text = '';
  for await (const chunk of textStream) text += chunk;
  return text;
};

const failed = await scenarios({
  'plain stream': async () => says(await ask('plain'), 'Hello.'),
  'our MCP tool inside': async () => says(await ask('ours', conversation('1')), `Seen: ${OURS}`),
  'second turn': async () => says(await ask('history', conversation('1')), `History: echo = ${OURS}`),
  'mixed with its own tool': async () => says(await ask('mixed', conversation('2')), `Seen: ${MIXED}`),
  'second turn after a mixed round': async () =>
    says(await ask('history', conversation('2')), `History: ${MIXED_HISTORY}`),
  'structured output': async () => {
    const { output } = await agent.generateText('structured', {
      output: Output.object({ schema: z.object({ city: z.string() }) }),
    });
    return says(JSON.stringify(output), '{"city":"Oslo"}');
  },
  abort: async () => {
    const controller = new AbortController();
    void nextRequest(server).then(() => controller.abort());
    const { fullStream } = await agent.streamText('slowly', { abortSignal: controller.signal });
    for await (const part of fullStream) if (part.type === 'error') break;
    await wasAborted(server);
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);

function quiet() {
  const say = () => {};
  const logger = { trace: say, debug: say, info: say, warn: say, error: console.error, fatal: console.error };
  return { ...logger, child: quiet };
}

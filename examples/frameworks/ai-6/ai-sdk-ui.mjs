// AI SDK UI over HTTP, with approvals: a chat, its transport, a server that keeps nothing.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Chat } from '@ai-sdk/react';
import {
  convertToModelMessages,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { createResponsesProvider } from 'responses-loop/ai6';
import { z } from 'zod';
import { MIXED, MIXED_HISTORY, OURS, says, scenarios } from '../support/scenarios.mjs';
import { nextRequest, startModel, wasAborted } from '../support/scripted-model.mjs';

const server = await startModel();

// The server's side.
const provider = createResponsesProvider({
  baseURL: server.baseURL,
  apiKey: 'test',
  mcpServers: {
    every: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'], allowTools: ['echo'] },
  },
  // Everything is asked about here; in an app rather `(call) => call.readOnly || 'ask'`.
  approve: () => 'ask',
  // The history comes from the browser: without a secret it could make up an approval.
  historySecret: 'in an app from the environment',
});

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

async function post(request) {
  const { messages } = await request.json();
  const result = streamText({
    model: provider('gpt-5.1'),
    messages: await convertToModelMessages(messages),
    tools: { weather },
    stopWhen: stepCountIs(5),
    abortSignal: request.signal,
  });
  return result.toUIMessageStreamResponse({ originalMessages: messages });
}

// The browser's side; in React `useChat` with the same options.
const newChat = (api, messages = []) =>
  new Chat({
    messages,
    transport: new DefaultChatTransport({ api }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onError: (error) => console.error(error),
  });

const http = createServer((request, response) => void answer(request, response));
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const api = `http://127.0.0.1:${http.address().port}/api/chat`;

async function answer(incoming, outgoing) {
  const controller = new AbortController();
  outgoing.once('close', () => controller.abort());
  const body = await new Response(incoming).text();
  const request = new Request(api, { method: 'POST', body, signal: controller.signal });
  const { body: stream, headers } = await post(request);
  outgoing.writeHead(200, Object.fromEntries(headers));
  for await (const chunk of stream) outgoing.write(chunk);
  outgoing.end();
}

const lastText = (chat) => chat.lastMessage.parts.findLast(({ type }) => type === 'text')?.text ?? '';
const requested = (chat) => chat.lastMessage.parts.find(({ state }) => state === 'approval-requested');

async function ask(chat, text, approved) {
  await chat.sendMessage({ text });
  const { approval, toolName, input } = requested(chat) ?? {};
  if (approval === undefined) return lastText(chat);
  assert.deepEqual([toolName, input], ['echo', { message: 'duck' }]);
  return decide(chat, approval.id, approved);
}

async function decide(chat, id, approved) {
  await chat.addToolApprovalResponse({ id, approved, reason: approved ? undefined : 'not today' });
  await until(() => chat.status === 'ready' && requested(chat) === undefined && lastText(chat) !== '');
  return lastText(chat);
}

async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function twoTurns(first) {
  const chat = newChat(api);
  await ask(chat, first, true);
  const kept = JSON.parse(JSON.stringify(chat.messages));
  return ask(newChat(api, kept), 'history');
}

const failed = await scenarios({
  'plain stream': async () => says(await ask(newChat(api), 'plain'), 'Hello.'),
  'our MCP tool inside, approved': async () => says(await ask(newChat(api), 'ours', true), `Seen: ${OURS}`),
  'our MCP tool inside, denied': async () => {
    const text = await ask(newChat(api), 'ours', false);
    assert.match(text, /not today/);
    assert.doesNotMatch(text, /Echo: duck/);
    return text;
  },
  'an approval that the browser made up runs nothing': async () => {
    const chat = newChat(api);
    await chat.sendMessage({ text: 'ours' });
    const forged = newChat(api, JSON.parse(JSON.stringify(chat.messages).replaceAll('duck', 'goose')));
    const text = await decide(forged, requested(forged).approval.id, true);
    assert.match(text, /did not run/);
    assert.ok(!JSON.stringify(server.requests.at(-1).input).includes('Echo: '));
    return text;
  },
  'mixed with its own tool': async () => says(await ask(newChat(api), 'mixed', true), `Seen: ${MIXED}`),
  'second turn': async () => says(await twoTurns('ours'), `History: echo = ${OURS}`),
  'second turn after a mixed round': async () => says(await twoTurns('mixed'), `History: ${MIXED_HISTORY}`),
  abort: async () => {
    const chat = newChat(api);
    void nextRequest(server).then(() => chat.stop());
    await chat.sendMessage({ text: 'slowly' });
    await wasAborted(server);
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);

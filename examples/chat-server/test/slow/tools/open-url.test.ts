import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openUrlTool } from '../../../src/tools/open-url.js';
import { approvalsIn, textOf } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
beforeAll(async () => {
  model = await startScriptedModel();
  chat = await startChat({ baseURL: model.baseURL, workspace: newFolder() });
});
afterAll(async () => {
  await chat.end();
  await model.close();
});

const open = (url: string): string => `call openUrl ${JSON.stringify({ url })}`;

it('asks about a page by its host, and "Always in this chat" is for that host', async () => {
  const asked = await chat.send('a', open('https://a.invalid/one'));
  expect(asked.chunks.find(({ type }) => type === 'tool-approval-request')).toMatchObject({
    approvalDescriptor: { reason: 'it reads a page of a.invalid', rule: 'web: a.invalid', always: true },
  });
  const [id = ''] = approvalsIn(asked.chunks);
  const answered = await chat.answer('a', { id, approved: true, always: true });
  expect(textOf(answered.chunks)).toContain('There is no host a.invalid');
  expect(approvalsIn((await chat.send('a', open('https://a.invalid/two'))).chunks)).toEqual([]);
  expect(approvalsIn((await chat.send('a', open('https://b.invalid/'))).chunks)).toHaveLength(1);
});

it('refuses what is no page without a question, and this machine behind one', async () => {
  const refused = await chat.send('b', open('file:///etc/passwd'));
  expect(approvalsIn(refused.chunks)).toEqual([]);
  expect(textOf(refused.chunks)).toContain('Only http and https');
  const [id = ''] = approvalsIn((await chat.send('b', open(`http://127.0.0.1:${chat.port}/`))).chunks);
  const answered = await chat.answer('b', { id, approved: true });
  expect(textOf(answered.chunks)).toContain('no public address');
});

it('gives the text of a page', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Ducks</title><h1>Quack</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tool = openUrlTool((options) => webFetch({ ...options, isAllowed: () => true }));
  expect(await tool.execute({ url }, { toolCallId: 'c', signal: new AbortController().signal })).toMatchObject({
    ok: true,
    url,
    title: 'Ducks',
    content: '## Quack',
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseEvents } from 'responses-loop/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/chat-client.js';
import { PICTURES } from '../../support/pictures.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

const workspace = newFolder();
let model: ScriptedModel;
let chat: ChatProcess;

/** Draws, and asks. */
const DRAWN = [
  {
    type: 'item',
    item: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PICTURES.png },
  },
  { type: 'call', callId: 'call_write', name: 'writeFile', arguments: '{"path":"a.md","content":"a"}' },
] as const;

beforeAll(async () => {
  model = await startScriptedModel({
    answer: ({ input, index }) =>
      textOfItem(input.at(-1)?.['content']) === 'draw'
        ? { events: responseEvents({ id: `resp_${index}`, output: [...DRAWN] }) }
        : undefined,
  });
  chat = await startChat({ baseURL: model.baseURL, workspace });
});
afterAll(async () => {
  await model.close();
});

const agents = () => chat.api<readonly Agent[]>('GET', '/api/sessions/c/agents');

interface Agent {
  readonly agentId: string;
  readonly state: string;
  readonly questions: readonly { readonly toolCallId: string }[];
}

it('a picture that a sub-agent made lies beside its messages, and its model reads it again after kill -9', async () => {
  const done = chat.send('c', `call subAgent ${JSON.stringify({ agent: 'default', task: 'draw' })}`).catch(() => {});
  const asks = ({ json }: { json: readonly Agent[] }): boolean => (json[0]?.questions.length ?? 0) > 0;
  const [agent] = (await until(agents, asks)).json;
  await chat.end('SIGKILL');
  await done;
  const folder = dataOf(workspace, 'sessions', 'c');
  const log = readFileSync(join(folder, 'agents', agent?.agentId ?? '', 'messages.jsonl'), 'utf8');
  expect(log).toContain('"url":"/api/sessions/c/pictures/');
  expect(log).not.toContain('data:image/png');
  expect(readdirSync(join(folder, 'pictures'))).toHaveLength(1);
  chat = await startChat({ baseURL: model.baseURL, workspace });
  await chat.api('POST', `/api/sessions/c/approvals/${agent?.questions[0]?.toolCallId}`, { approved: true });
  await until(agents, ({ json }) => json[0]?.state === 'done');
  await chat.idle('c');
  expect(readFileSync(join(workspace, 'a.md'), 'utf8')).toBe('a');
  expect(model.problems).toEqual([]);
  const sent = model.requests.filter(
    ({ text }) => text.includes('call_write') && text.includes('function_call_output'),
  );
  expect(sent.some(({ text }) => text.includes('/api/sessions/c/pictures/'))).toBe(false);
});

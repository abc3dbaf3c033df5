import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, textOf } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, spawnChat, startChat } from '../../support/start-chat.js';

const KEY = 'sk-key-of-the-other-one-0123';
const PNG = {
  type: 'file' as const,
  mediaType: 'image/png',
  filename: 'duck.png',
  url: 'data:image/png;base64,iVBORw0KGgo=',
};

let first: ScriptedModel;
let second: ScriptedModel;
let chat: ChatProcess;
let lister: ReturnType<typeof createServer>;

beforeAll(async () => {
  [first, second] = await Promise.all([startScriptedModel(), startScriptedModel()]);
  lister = createServer((request, response) => {
    response.end(JSON.stringify({ data: [{ id: 'found-b' }, { id: 'found-a' }, { id: 'text-embedding-9' }] }));
    request.resume();
  }).listen(0, '127.0.0.1');
  await once(lister, 'listening');
  const folder = newFolder();
  installOpenAI(folder);
  const models = join(folder, 'models.json');
  const other = { adapter: 'loop', baseUrl: second.baseURL, keyVariable: 'OTHER_KEY' };
  writeFileSync(
    models,
    JSON.stringify({
      providers: {
        other: { ...other, label: 'The other one', models: ['gpt-oss-20b', { id: 'seeing', images: true }] },
        plain: { ...other, adapter: 'stock', models: ['any'] },
        installed: { ...other, adapter: '@ai-sdk/openai', models: ['any'] },
        missing: { ...other, adapter: '@ai-sdk/not-there', models: ['any'] },
        lister: { adapter: 'loop', baseUrl: `http://127.0.0.1:${(lister.address() as AddressInfo).port}/v1` },
        down: { adapter: 'loop', baseUrl: 'http://127.0.0.1:9/v1' },
        keyless: { adapter: 'loop', baseUrl: second.baseURL, keyVariable: 'NOT_SET', models: ['any'] },
      },
    }),
  );
  chat = await startChat({
    baseURL: first.baseURL,
    args: ['--models', models, ...countingServer(folder).args],
    env: { OTHER_KEY: KEY },
  });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  lister.close();
});

/** As `npm install` would, for this folder alone. */
function installOpenAI(folder: string): void {
  const require = createRequire(import.meta.url);
  let from = dirname(realpathSync(require.resolve('@ai-sdk/openai')));
  while (!from.endsWith('openai')) from = dirname(from);
  mkdirSync(join(folder, 'node_modules/@ai-sdk'), { recursive: true });
  symlinkSync(from, join(folder, 'node_modules/@ai-sdk/openai'));
}

describe('models', () => {
  it('are those of the file, of the built-in facts and of what servers name', async () => {
    const { json } = await chat.api<readonly Record<string, unknown>[]>('GET', '/api/models');
    const ids = json.map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining(['default', 'other/gpt-oss-20b', 'installed/any', 'lister/found-a', 'lister/found-b']),
    );
    expect(ids.filter((id) => String(id).includes('embedding') || String(id).startsWith('keyless'))).toEqual([]);
    expect(json.find(({ id }) => id === 'other/gpt-oss-20b')).toMatchObject({
      provider: 'The other one',
      images: false,
      efforts: ['low', 'medium', 'high'],
    });
    expect(JSON.stringify(json)).not.toContain(second.baseURL);
  });

  it('that are missing have a reason in words', async () => {
    const { json } = await chat.api<readonly Record<string, unknown>[]>('GET', '/api/providers');
    expect(json.find(({ id }) => id === 'down')?.['problem']).toBe('it cannot be reached');
    expect(json.find(({ id }) => id === 'keyless')?.['problem']).toBe('NOT_SET is not set');
    expect(json.find(({ id }) => id === 'lister')?.['problem']).toBeUndefined();
    expect(JSON.stringify(json)).not.toMatch(/127\.0\.0\.1|sk-/);
  });

  it.each(['other/gpt-oss-20b', 'plain/any', 'installed/any'])('are asked at their own server: %s', async (id) => {
    const before = [first.requests.length, second.requests.length];
    const answer = await chat.send(`own-${id.split('/')[0]}`, 'hello', { chatModelId: id });
    expect(textOf(answer.chunks)).toBe('You said: hello');
    expect([first.requests.length, second.requests.length]).toEqual([before[0], (before[1] ?? 0) + 1]);
    expect(second.requests.at(-1)?.body['model']).toBe(id.split('/')[1]);
    expect(second.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);
  });

  it('may be another one for each message of a chat', async () => {
    await chat.send('mixed', 'one', { chatModelId: 'default' });
    await chat.send('mixed', 'two', { chatModelId: 'installed/any' });
    await chat.send('mixed', 'three', { chatModelId: 'other/seeing' });
    const { messages } = await chat.session('mixed');
    expect(messages.flatMap(({ metadata }) => metadata.chatModelId ?? [])).toEqual([
      'default',
      'installed/any',
      'other/seeing',
    ]);
  });

  it.each(['other/seeing', 'installed/any'])('use tools of MCP servers behind the same gate: %s', async (id) => {
    const session = `mcp-${id.split('/')[0]}`;
    const asked = await chat.send(session, 'call count {"what":"ducks"}', { chatModelId: id });
    const [approval = ''] = approvalsIn(asked.chunks);
    expect(approval).not.toBe('');
    const done = await chat.post({
      id: session,
      trigger: 'approval-response',
      chatModelId: id,
      approvals: [{ id: approval, approved: true }],
    });
    expect(textOf(done.chunks)).toContain('counted ducks');
    expect(second.problems).toEqual([]);
  });

  it('answer for a sub-agent that was given one', async () => {
    const task = JSON.stringify({ agent: 'document', task: 'say hi', model: 'other/seeing' });
    const before = second.requests.length;
    await chat.send('agents', `call subAgent ${task}`);
    expect(second.requests.length).toBe(before + 1);
    const unknown = JSON.stringify({ agent: 'document', task: 'say hi', model: 'other/none' });
    const answer = await chat.send('agents', `call subAgent ${unknown}`);
    expect(textOf(answer.chunks)).toContain('There is no model');
  });

  it('get the level of reasoning that was chosen, and none that they have not', async () => {
    const chatModelId = 'other/gpt-oss-20b';
    await chat.send('effort', 'hello', { chatModelId, reasoningEffort: 'low' });
    expect(second.requests.at(-1)?.body['reasoning']).toMatchObject({ effort: 'low' });
    const refused = await chat.send('effort', 'hello', { chatModelId, reasoningEffort: 'extreme' });
    expect(refused).toMatchObject({ status: 422, json: { error: { code: 'model_cannot' } } });
    expect(JSON.stringify(refused.json)).toContain('it has low, medium, high');
  });

  it('that take no images are not sent one, neither a new one nor one of before; nothing is stored', async () => {
    const before = second.requests.length;
    const picture = chat.message('pictures', [PNG], { chatModelId: 'other/gpt-oss-20b' });
    const refused = await chat.post(picture);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.json)).toContain('takes no images, and this conversation has duck.png');
    expect((await chat.api('GET', '/api/sessions/pictures')).status).toBe(404);
    expect((await chat.post(chat.message('pictures', [PNG], { chatModelId: 'other/seeing' }))).status).toBe(200);
    const later = await chat.send('pictures', 'and now?', { chatModelId: 'other/gpt-oss-20b' });
    expect(later.status).toBe(422);
    expect((await chat.session('pictures')).messages).toHaveLength(2);
    expect(second.requests.length).toBe(before + 1);
  });

  it('that cannot be asked are refused with what to do', async () => {
    const unknown = await chat.send('refused', 'x', { chatModelId: 'other/none' });
    expect(unknown).toMatchObject({ status: 404, json: { error: { code: 'no_such_model' } } });
    const missing = await chat.send('refused', 'x', { chatModelId: 'missing/any' });
    expect(missing).toMatchObject({ status: 422, json: { error: { code: 'no_such_adapter' } } });
    expect(JSON.stringify(missing.json)).toContain('npm install @ai-sdk/not-there');
    expect((await chat.send('refused', 'x', { chatModelId: 'other/seeing', chatModelSource: 'stock' })).status).toBe(
      422,
    );
  });

  it('have a file that is right, or the server does not start', async () => {
    const models = join(newFolder(), 'models.json');
    writeFileSync(models, '{"providers": {"x": {"adapter": "loop"}}}');
    const { code, stderr } = await spawnChat({ args: ['--models', models] }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('has no "baseUrl" for the provider "x"');
  });
});

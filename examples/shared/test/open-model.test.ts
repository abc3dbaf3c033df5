import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedServer, type ScriptedServer } from 'responses-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelFlags, type OpenedModel, openModel, type OpenModelOptions } from '../open-model.js';

let folder: string;
let server: ScriptedServer;
const opened: OpenedModel[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-model-'));
  server = await createScriptedServer({ otherwise: 'Hello from the server.' });
});

afterEach(async () => {
  for (const model of opened.splice(0)) await model.close();
  await server.close();
  await rm(folder, { recursive: true });
});

async function open(flags: ModelFlags, more: Partial<OpenModelOptions> = {}): Promise<OpenedModel> {
  const standIn = (): { output: { type: 'text'; text: string }[] } => ({
    output: [{ type: 'text', text: 'Offline.' }],
  });
  const stock = async (): Promise<never> => Promise.reject(new Error('the stock provider was not asked for'));
  const model = await openModel({ flags, env: {}, standIn, stock, ...more });
  opened.push(model);
  return model;
}

async function ask({ provider, model }: OpenedModel): Promise<string> {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  const { content } = await provider(model).doGenerate({ prompt });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

describe('which model answers', () => {
  it('the one of the flags, before environment and config file', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/env', OPENAI_API_KEY: 'env-key', MODEL: 'env-model' };
    const config = { baseUrl: 'http://127.0.0.1:1/file', apiKey: 'file-key', model: 'file-model' };
    const model = await open({ baseUrl: server.baseURL, apiKey: 'flag-key', model: 'flag-model' }, { env, config });
    expect(await ask(model)).toBe('Hello from the server.');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer flag-key');
    expect(server.requests[0]?.body['model']).toBe('flag-model');
  });

  it('the one of the environment, before the config file', async () => {
    const env = { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'env-key', MODEL: 'env-model' };
    const config = { baseUrl: 'http://127.0.0.1:1/file', apiKey: 'file-key', model: 'file-model' };
    await ask(await open({}, { env, config }));
    expect(server.requests[0]?.headers.authorization).toBe('Bearer env-key');
    expect(server.requests[0]?.body['model']).toBe('env-model');
  });

  it('the one of the config file, for what neither says', async () => {
    const config = { baseUrl: server.baseURL, apiKey: 'file-key', model: 'file-model' };
    await ask(await open({ model: 'flag-model' }, { env: { OPENAI_API_KEY: ' ' }, config }));
    expect(server.requests[0]?.headers.authorization).toBe('Bearer file-key');
    expect(server.requests[0]?.body['model']).toBe('flag-model');
  });

  it('the stand-in, if they name nothing, which the label says', async () => {
    const model = await open({});
    expect(await ask(model)).toBe('Offline.');
    expect(model.label).toMatch(/Demo model/);
  });

  it('the stand-in, if --offline says so, whatever else is set', async () => {
    const model = await open(
      { offline: true, model: 'mine' },
      { env: { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'k' } },
    );
    expect(await ask(model)).toBe('Offline.');
    expect(model.model).toBe('mine');
    expect(server.requests).toEqual([]);
  });

  it('none, if only a model is named, since no one knows where it is', async () => {
    await expect(open({ model: 'mine' })).rejects.toThrow(/The model mine needs a server: set --base-url/);
  });

  it('is named without the secrets of its address', async () => {
    const { label } = await open({ baseUrl: 'http://127.0.0.1:9/v1?api_key=hidden', apiKey: 'k', model: 'm' });
    expect(label).toMatch(/^m at http:\/\/127\.0\.0\.1:9\/v1/);
    expect(label).not.toContain('hidden');
    const refused = open({ baseUrl: 'http://me:secret@127.0.0.1:9/v1', apiKey: 'k', model: 'm' });
    const message = await refused.then(() => 'not refused', String);
    expect(message).toContain('contains a user name or password');
    expect(message).not.toContain('secret');
  });
});

describe('--record and --replay', () => {
  it('keep a conversation, and answer from it when no server is there', async () => {
    const directory = join(folder, 'kept');
    const recording = await open({ baseUrl: server.baseURL, apiKey: 'sk-very-secret', model: 'm', record: directory });
    await ask(recording);
    await recording.close();
    await server.close();
    expect(await readFile(join(directory, '1.request.json'), 'utf8')).not.toContain('sk-very-secret');

    const replayed = await open({ replay: directory });
    expect(replayed.model).toBe('m');
    expect(replayed.label).toContain(directory);
    expect(await ask(replayed)).toBe('Hello from the server.');
  });

  it('keep what the stand-in says, too', async () => {
    const directory = join(folder, 'kept');
    const model = await open({ record: directory });
    await ask(model);
    await model.close();
    expect(existsSync(join(directory, 'meta.json'))).toBe(true);
  });

  it('never write over what was kept', async () => {
    const directory = join(folder, 'kept');
    const first = await open({ record: directory });
    await ask(first);
    await first.close();
    await expect(open({ record: directory })).rejects.toThrow(/^--record: /);
  });

  it.each([
    ['a folder that is not there', { replay: '/nowhere' }, /^--replay: there is no folder/],
    ['a folder without a recording', { replay: tmpdir() }, /^--replay: /],
    ['both at once', { replay: 'a', record: 'b' }, /exclude each other/],
    ['--offline beside --replay', { replay: 'a', offline: true }, /exclude each other/],
  ])('refuse %s', async (_what, flags, sentence) => {
    await expect(open(flags)).rejects.toThrow(sentence);
  });
});

describe('--mcp-config', () => {
  it('gives the provider the servers of the file', async () => {
    const path = join(folder, 'mcp.json');
    const args = ['node_modules/@modelcontextprotocol/server-everything/dist/index.js'];
    await writeFile(path, JSON.stringify({ mcpServers: { everything: { command: process.execPath, args } } }));
    const { provider } = await open({ mcpConfig: path });
    expect((await provider.listTools()).map(({ name }) => name)).toContain('get-sum');
  });

  it('names a file that cannot be read', async () => {
    await expect(open({ mcpConfig: join(folder, 'none.json') })).rejects.toThrow(
      /--mcp-config: .*none\.json cannot be read/,
    );
  });
});

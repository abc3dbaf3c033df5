import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listModels } from '../../listed-models.js';
import { openModel } from '../../open-model.js';

interface ListServer {
  readonly baseUrl: string;
  readonly seen: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[];
}

async function listServer(body: unknown, status = 200): Promise<ListServer> {
  const seen: ListServer['seen'] = [];
  const server = createServer(({ url, headers }, response) => {
    seen.push({ url, headers });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const listed = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ id })) });

async function modelAt(baseUrl: string, flags: { readonly model?: string; readonly apiKey?: string } = {}) {
  const opened = await openModel({
    flags: { baseUrl, ...flags },
    env: {},
    standIn: () => ({ output: [] }),
    stock: () => Promise.reject(new Error('not wanted')),
  });
  await opened.close();
  return { model: opened.model, label: opened.label };
}

describe('without --model', () => {
  it('the first model that the server lists answers, if it answers in text', async () => {
    const { baseUrl, seen } = await listServer(listed('text-embedding-1', 'qwen', 'llama'));
    expect(await modelAt(baseUrl, { apiKey: 'first-key,second-key' })).toEqual({
      model: 'qwen',
      label: `qwen at ${baseUrl}`,
    });
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/v1/models', 'Bearer first-key']]);
  });

  it('a list by the name of `models` is read, too', async () => {
    const { baseUrl } = await listServer({ models: [{ name: 'gemma' }] });
    expect((await modelAt(baseUrl)).model).toBe('gemma');
  });

  it.each([
    ['lists none', listed(), 200],
    ['knows no list', {}, 404],
    ['sends no list', [1], 200],
    ['refuses the key', {}, 401],
  ])('a server that %s is asked for the default', async (_, body, status) => {
    const { baseUrl } = await listServer(body, status);
    expect((await modelAt(baseUrl)).model).toBe('gpt-5.1');
  });

  it('a server that is not there yet is asked for the default later', async () => {
    expect((await modelAt('http://127.0.0.1:1/v1')).model).toBe('gpt-5.1');
  });
});

describe('with --model', () => {
  it('the server is not asked for its list', async () => {
    const { baseUrl, seen } = await listServer(listed('qwen'));
    expect((await modelAt(baseUrl, { model: 'mine' })).model).toBe('mine');
    expect(seen).toEqual([]);
  });
});

describe('a list of models', () => {
  it('follows no redirect, which could take the key to another host', async () => {
    const { baseUrl, seen } = await listServer(listed('a', 'b', 'whisper'), 302);
    expect(await listModels({ responsesUrl: `${baseUrl}/responses`, apiKey: 'k' })).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it('of a server that refuses the key names the flag to change', async () => {
    const { baseUrl } = await listServer({}, 401);
    await expect(listModels({ responsesUrl: `${baseUrl}/responses` })).rejects.toThrow(
      'refuses the key (401): set OPENAI_API_KEY or --api-key-env.',
    );
  });

  it('of a server that is not there names its address without secrets', async () => {
    const responsesUrl = 'http://127.0.0.1:1/v1/responses?token=secret';
    const error: unknown = await listModels({ responsesUrl, apiKey: 'sk-secret' }).catch((failed: unknown) => failed);
    expect(String(error)).toContain('Nothing answers at http://127.0.0.1:1 (TypeError): check --base-url.');
    expect(String(error)).not.toContain('secret');
  });
});

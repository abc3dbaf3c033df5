import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { firstModel } from '../../src/cli/first-model.js';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string): Promise<string> =>
  firstModel(
    url,
    { apiKeys: [], keyName: 'MY_KEY', headers: { 'x-api-key': 'secret-word' } },
    AbortSignal.timeout(10_000),
  );

it('asks for models without carrying headers along to where a server redirects', async () => {
  const seen: unknown[] = [];
  const other = await serve(({ headers }, response) => {
    seen.push(headers['x-api-key']);
    response.end(JSON.stringify({ data: [{ id: 'm' }] }));
  });
  const server = await serve((_request, response) => response.writeHead(307, { location: other }).end());
  await expect(ask(`${server}/v1/responses`)).rejects.toThrow('the server redirects to');
  expect(seen).toEqual([]);
});

it('says where it asked without the key in the URL', async () => {
  const server = await serve((_request, response) => response.writeHead(500).end());
  const error: unknown = await ask(`${server}/v1/responses?key=secret-word`).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('/v1/models');
  expect(String(error)).not.toContain('secret-word');
});

describe('why no model is known, and what to do', () => {
  const askWith = (url: string, apiKeys: string[], headers = {}) =>
    firstModel(`${url}/v1/responses`, { apiKeys, keyName: 'MY_KEY', headers }, AbortSignal.timeout(10_000));
  const refusing = (status: number, body: object = {}) =>
    serve((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );

  it.each<[string, number, string[], string]>([
    ['a wrong key', 401, ['sk-1'], 'the server refused the key in MY_KEY (401)'],
    ['no key', 401, [], 'put it into MY_KEY, or name another variable with --api-key-env'],
    ['a server that fails', 503, [], 'the server itself fails (503)'],
    ['a server without a list', 404, [], 'it answered 404; name a model with --model'],
    ['an empty list', 200, [], 'it lists none; name a model with --model'],
  ])('%s', async (_, status, keys, words) => {
    await expect(askWith(await refusing(status), keys)).rejects.toThrow(words);
  });

  it('nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(askWith(`http://127.0.0.1:${port}`, [])).rejects.toThrow(
      `names no model: nothing listens at 127.0.0.1:${port}: start the server, or check host and port of --base-url.`,
    );
  });

  it('a page in place of a list', async () => {
    const url = await serve((_request, response) => response.end('<!doctype html>'));
    await expect(askWith(url, [])).rejects.toThrow('it lists none; name a model with --model');
  });
});

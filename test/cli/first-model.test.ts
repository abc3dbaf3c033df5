import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { firstModel } from '../../src/cli/first-model.js';

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = (url: string): Promise<string> =>
  firstModel(url, { apiKeys: [], headers: { 'x-api-key': 'secret-word' } }, AbortSignal.timeout(10_000));

it('asks for models without carrying headers along to where a server redirects', async () => {
  const seen: unknown[] = [];
  const other = await serve(({ headers }, response) => {
    seen.push(headers['x-api-key']);
    response.end(JSON.stringify({ data: [{ id: 'm' }] }));
  });
  const server = await serve((_request, response) => response.writeHead(307, { location: other }).end());
  await expect(ask(`${server}/v1/responses`)).rejects.toThrow('it answered 307');
  expect(seen).toEqual([]);
});

it('says where it asked without the key in the URL', async () => {
  const server = await serve((_request, response) => response.writeHead(500).end());
  const error: unknown = await ask(`${server}/v1/responses?key=secret-word`).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('/v1/models');
  expect(String(error)).not.toContain('secret-word');
});

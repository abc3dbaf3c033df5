import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { discoverModels } from '../../src/models/discover-models.js';
import { DiscoveryCache } from '../../src/models/discovery-cache.js';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function serverOf(listener: RequestListener): Promise<{ readonly baseURL: string; readonly apiKey: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, apiKey: 'sk-of-a-test-0123' };
}

const listOf = (...ids: unknown[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

describe('asking a server for its models', () => {
  it('gets those that chat, once each and in order, and sends the key', async () => {
    const asked: unknown[] = [];
    const server = await serverOf(({ url, headers }, response) => {
      asked.push([url, headers.authorization]);
      response.end(listOf('b', 'a', 'a', 'text-embedding-3-small', 7, '', 'x'.repeat(500)));
    });
    expect(await discoverModels(server)).toEqual({ models: ['a', 'b'] });
    expect(asked).toEqual([['/v1/models', 'Bearer sk-of-a-test-0123']]);
  });

  it.each<[string, RequestListener, string]>([
    ['a refusal', (_request, response) => response.writeHead(401).end('sk-of-a-test-0123'), 'was refused with 401'],
    ['a page', (_request, response) => response.end('<html>'), 'is not a list of models'],
    ['another JSON', (_request, response) => response.end('[]'), 'is not a list of models'],
    ['silence', () => {}, 'did not answer within 0.2 s'],
    ['an answer without end', (_request, response) => flood(response), 'is too long'],
    [
      'a redirect, which gets no key',
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
      'cannot be reached',
    ],
  ])('says in words why it gets none: %s', async (name, listener, problem) => {
    const timeoutMs = name === 'silence' ? 200 : 30_000;
    const found = await discoverModels(await serverOf(listener), { timeoutMs });
    expect(found.models).toEqual([]);
    expect(found.problem).toContain(problem);
    expect(found.problem).not.toMatch(/sk-|127/);
  });

  it('asks once for all who ask at the same time, keeps an answer, and asks again when it is old', async () => {
    let requests = 0;
    const server = await serverOf((_request, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(500).end();
      else response.end(listOf('a'));
    });
    let now = 0;
    const cache = new DiscoveryCache({ now: () => now });
    const [first, second] = await Promise.all([cache.ask('s', server), cache.ask('s', server)]);
    expect([first.problem, second.problem, requests]).toEqual([first.problem, first.problem, 1]);
    now += 29_000;
    await cache.ask('s', server);
    expect(requests).toBe(1);
    now += 2_000;
    expect((await cache.ask('s', server)).models).toEqual(['a']);
    now += 4 * 60_000;
    await cache.ask('s', server);
    expect(requests).toBe(2);
    now += 2 * 60_000;
    await cache.ask('s', server);
    expect(requests).toBe(3);
  });
});

function flood(response: Parameters<RequestListener>[1]): void {
  const write = (): void => {
    if (!response.destroyed) response.write('x'.repeat(1_000_000), () => setImmediate(write));
  };
  write();
}

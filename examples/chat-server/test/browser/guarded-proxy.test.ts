import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { GuardedProxy } from '../../src/browser/guarded-proxy.js';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

async function serving(answer: string): Promise<string> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(answer));
  });
  opened.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function through(answer: string): Promise<number | undefined> {
  const address = await serving(answer);
  const proxy = await GuardedProxy.open({ isAllowed: () => true }, 1_000_000);
  opened.push(() => proxy.close());
  const { hostname, port } = new URL(proxy.address);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: address, agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

describe('the proxy of a browser', () => {
  it('passes a usual answer on', async () => {
    expect(await through('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')).toBe(200);
  });

  it.each([
    ['a status below 100', 'HTTP/1.1 000 X\r\ncontent-length: 2\r\n\r\nhi'],
    ['a control character in a header', 'HTTP/1.1 200 OK\r\nx-a: b\u0001c\r\ncontent-length: 2\r\n\r\nhi'],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('gives 502 for an answer with %s, and lives on', async (_name, answer) => {
    expect(await through(answer)).toBe(502);
  });
});

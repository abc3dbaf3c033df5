import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AddressRules } from 'responses-loop-example-shared/web-address.js';
import { onTestFinished } from 'vitest';

/** Stands for the public web, at the names that end with `.test`. */
const PUBLIC = '127.0.0.1';
/** Stands for a private network. */
const PRIVATE = '127.0.0.2';

/** Names lead to loopback, and one of its addresses counts as public. Set in code alone: no flag of the program does it. */
export function loopbackRules(hosts: Readonly<Record<string, string>> = {}): AddressRules {
  return {
    isAllowed: (address) => address === PUBLIC,
    lookup: async (host) => {
      if (!host.endsWith('.test')) return [];
      return [{ address: hosts[host] ?? PUBLIC, family: 4 }];
    },
  };
}

export interface HostilePages {
  readonly port: number;
  /** Below a name of the public web. */
  readonly url: (path: string, host?: string) => string;
  /** Below the address that is private. */
  readonly secretUrl: (path?: string) => string;
  /** What reached the private server, however it came. */
  readonly leaks: readonly string[];
  readonly asked: readonly string[];
}

/** Pages by path; the same port at the private address has a server, too, that nobody may reach. */
export async function servePages(pages: Readonly<Record<string, string | RequestListener>>): Promise<HostilePages> {
  const [leaks, asked]: [string[], string[]] = [[], []];
  const server = createServer((incoming, answer) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    asked.push(incoming.url ?? '');
    const page = pages[path];
    if (typeof page === 'function') page(incoming, answer);
    else answer.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  const port = await listen(server, PUBLIC, 0);
  const leak = (incoming: IncomingMessage): void => void leaks.push(`${incoming.method} ${incoming.url}`);
  const secret = createServer((incoming, answer) => {
    leak(incoming);
    answer.setHeader('access-control-allow-origin', '*').end('the secret');
  });
  secret.on('upgrade', (incoming, socket) => {
    leak(incoming);
    socket.destroy();
  });
  secret.on('connection', () => leaks.push('connection'));
  await listen(secret, PRIVATE, port);
  return {
    port,
    leaks,
    asked,
    url: (path, host = 'a.test') => `http://${host}:${port}${path}`,
    secretUrl: (path = '/') => `http://${PRIVATE}:${port}${path}`,
  };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

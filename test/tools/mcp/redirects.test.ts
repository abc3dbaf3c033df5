import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { followWithinOrigin, redirectError } from '../../../src/tools/mcp/sdk-gaps/follow-within-origin.js';
import type { FetchLike } from '../../../src/tools/mcp/sdk-gaps/guard-fetch.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';
import { registryWith } from './helpers.js';
import { memoryProvider, startProtectedServer } from './oauth-server.js';

const headers = { 'X-Api-Key': 'plainsecret42', Authorization: 'Bearer longsecret4242' };

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

type Redirect = (request: IncomingMessage, body: string) => readonly [status: number, location: string] | undefined;

/** An MCP server over HTTP that answers what `redirect` does not send elsewhere. */
async function startServer(redirect: Redirect): Promise<{ origin: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const origin = await serveOnLoopback(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url: path = '' } = request;
    seen.push({ method, path, key: request.headers['x-api-key'] as string | undefined, body });
    const elsewhere = redirect(request, body);
    if (elsewhere !== undefined) return void response.writeHead(elsewhere[0], { location: elsewhere[1] }).end('moved');
    if (method !== 'POST') return void response.writeHead(405).end();
    const message = JSON.parse(body) as { id?: number; method: string };
    if (message.id === undefined) return void response.writeHead(202).end();
    const json = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: RESULTS[message.method] ?? {} });
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' }).end(json);
  });
  return { origin, seen };
}

const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } },
  'tools/list': { tools: [{ name: 'hi', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'hi there' }] },
};

const nowhere: Redirect = () => undefined;
const isFor = (method: string) => (body: string) => body.includes(`"method":"${method}"`);

/** As the platform follows redirects when it is left to it, which is what MCP SDKs before 1.32 do. */
const following: FetchLike = (url, init) => fetch(url, { ...init, redirect: 'follow' });

describe('an MCP server that redirects to another host', () => {
  it.each([301, 302, 303, 307, 308])(
    'does not make the provider send headers to the target (%i); a warning names the target, and the tools are left out',
    async (status) => {
      const other = await startServer(nowhere);
      const server = await startServer(() => [status, `${other.origin}/steal`]);
      const toolset = await toolsetOf(registryWith({ docs: { url: `${server.origin}/mcp`, headers } }));
      expect(toolset.tools).toEqual([]);
      expect(toolset.warnings).toEqual([
        expect.stringMatching(
          /"docs".*it redirects to http:\/\/127\.0\.0\.1:\d+\/steal\. .*set `url` to where the server is/,
        ),
      ]);
      expect(other.seen).toEqual([]);
    },
  );

  it('gets no header there when it begins to with a call, and the model reads why', async () => {
    const other = await startServer(nowhere);
    const server = await startServer((_request, body) =>
      isFor('tools/call')(body) ? [307, `${other.origin}/steal`] : undefined,
    );
    const toolset = await toolsetOf(registryWith({ docs: { url: `${server.origin}/mcp`, headers } }));
    const output = await callTool(toolNamed(toolset, 'hi'), {});
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/redirects to .*\/steal/);
    expect(other.seen).toEqual([]);
  });

  it.each<[string, Redirect]>([
    ['the stream', (request) => (request.method === 'GET' ? [307, 'http://localhost:9/steal'] : undefined)],
    ['the messages', (request) => (request.method === 'POST' ? [308, 'http://localhost:9/steal'] : undefined)],
  ])('gets no header there over SSE, where it redirects %s', async (_name, redirect) => {
    const server = await startSseServer(redirect);
    const toolset = await toolsetOf(registryWith({ docs: { url: `${server}/sse`, type: 'sse', headers } }));
    expect(toolset.tools).toEqual([]);
    expect(toolset.warnings.join()).toMatch(/redirects to http:\/\/localhost:9\/steal/);
  });

  it('is not used, even if a custom `fetch` followed the redirect', async () => {
    const other = await startServer(nowhere);
    const server = await startServer(() => [307, `${other.origin}/steal`]);
    const registry = registryWith({ docs: { url: `${server.origin}/mcp`, headers } }, { fetch: following });
    const toolset = await toolsetOf(registry);
    expect(toolset.tools).toEqual([]);
    expect(toolset.warnings.join()).toMatch(/redirects to .*\/steal/);
  });
});

describe('an MCP server that redirects within its origin', () => {
  it.each([307, 308])('is followed with headers, method and body (%i)', async (status) => {
    const server = await startServer(({ url }) => (url === '/mcp' ? [status, '/moved/'] : undefined));
    const toolset = await toolsetOf(registryWith({ docs: { url: `${server.origin}/mcp`, headers } }));
    expect(toolset.warnings).toEqual([]);
    expect(textOf(await callTool(toolNamed(toolset, 'hi'), {}))).toBe('hi there');
    const moved = server.seen.filter(({ path, method }) => path === '/moved/' && method === 'POST');
    expect(moved.length).toBeGreaterThanOrEqual(3);
    expect(new Set(moved.map(({ key }) => key))).toEqual(new Set(['plainsecret42']));
  });

  it.each([301, 302, 303])(
    'is not followed where that would turn a message into a GET (%i), and the warning says so',
    async (status) => {
      const server = await startServer(({ url }) => (url === '/mcp' ? [status, '/moved'] : undefined));
      const toolset = await toolsetOf(registryWith({ docs: { url: `${server.origin}/mcp`, headers } }));
      expect(toolset.warnings.join()).toMatch(/redirects to .*\/moved\..*change the request/);
      expect(server.seen.filter(({ path }) => path === '/moved')).toEqual([]);
    },
  );

  it('is given up when it redirects for ever', async () => {
    const server = await startServer(({ url }) => [307, `${url}x`]);
    const toolset = await toolsetOf(registryWith({ docs: { url: `${server.origin}/mcp`, headers } }));
    expect(toolset.tools).toEqual([]);
    expect(server.seen.length).toBeLessThan(20);
  });
});

describe('a sign-in service that redirects to another host', () => {
  it('gets neither refresh token nor headers there', async () => {
    const other = await startServer(nowhere);
    const server = await startProtectedServer();
    const provider = memoryProvider(server.tokens('token-0', 'refresh-0'));
    const fetchRedirected: FetchLike = async (url, init) =>
      new URL(url).pathname === '/token' && new URL(url).origin !== other.origin
        ? follow(other.origin, init)
        : fetch(url, init);
    const registry = registryWith(
      { docs: { url: server.url, authProvider: provider, headers } },
      { fetch: fetchRedirected },
    );
    const toolset = await toolsetOf(registry);
    expect(toolset.tools).toEqual([]);
    expect(other.seen).toEqual([]);
  });
});

/** What `fetch` does with a redirect to `origin`: hands it back, or goes there, as it was told. */
async function follow(origin: string, init: RequestInit | undefined): Promise<Response> {
  if (init?.redirect === 'manual') return new Response(null, { status: 307, headers: { location: `${origin}/steal` } });
  return fetch(`${origin}/steal`, init);
}

describe('redirects', () => {
  it.each<[string, string]>([
    ['another port', 'http://one.test:81/'],
    ['another scheme', 'https://one.test/'],
    ['another host', 'http://two.test/'],
    ['no scheme', '//two.test/'],
    ['a file', 'file:///etc/passwd'],
    ['user info', 'http://user:pass@one.test/'],
    ['backslashes', '\\\\two.test/'],
    ['something of a subdomain', 'http://one.test.two.test/'],
  ])('to %s are not followed', async (_name, location) => {
    const asked: string[] = [];
    const send = followWithinOrigin(async (url) => {
      asked.push(String(url));
      return new Response(null, { status: 307, headers: { location } });
    });
    const response = await send('http://one.test/mcp', { method: 'POST', body: '{}' });
    expect(asked).toEqual(['http://one.test/mcp']);
    expect(redirectError(response, 'http://one.test/mcp')?.message).toMatch(/^it redirects to /);
  });

  it('that a browser hides are an error, and answers without one are none', () => {
    const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
    expect(redirectError(hidden, 'http://one.test/')?.message).toBe('it redirects elsewhere');
    expect(redirectError(new Response('x'), 'http://one.test/')).toBeUndefined();
    expect(redirectError(new Response(null, { status: 302 }), 'http://one.test/')).toBeUndefined();
    expect(redirectError(new Response(null, { status: 304 }), 'http://one.test/')).toBeUndefined();
  });
});

/** An SSE server whose stream names the address of its messages, and answers none. */
function startSseServer(redirect: Redirect): Promise<string> {
  return serveOnLoopback(async (request, response) => {
    const elsewhere = redirect(request, '');
    if (elsewhere !== undefined) return void response.writeHead(elsewhere[0], { location: elsewhere[1] }).end();
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
    } else response.writeHead(202).end();
  });
}

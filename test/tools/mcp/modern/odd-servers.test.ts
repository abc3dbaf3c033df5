import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { McpStdioConfig } from '../../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../../support/call.js';
import { serveOnLoopback } from '../../support/serve-on-loopback.js';
import { registryFor, run } from './run-server.js';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly _meta?: unknown };
}

type Answer = (request: Request, http: IncomingMessage) => object | string | number | undefined;

const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A server of revision 2026-07-28 as somebody may write it by hand: an object is a result, a number a status, a text a stream. */
async function serveByHand(answer: Answer): Promise<{ url: string; seen: Request[] }> {
  const seen: Request[] = [];
  const origin = await serveOnLoopback(async (http: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(http);
    if (body === '') return void response.writeHead(405).end();
    const request = JSON.parse(body) as Request;
    seen.push(request);
    const given = answer(request, http) ?? (request.method === 'server/discover' ? DISCOVERED : 404);
    if (typeof given === 'number')
      return void response.writeHead(given, { location: 'http://127.0.0.1:9/steal' }).end();
    if (typeof given === 'string')
      return void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(given);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: given }));
  });
  return { url: `${origin}/mcp`, seen };
}

const complete = (result: object): object => ({ resultType: 'complete', ...result });
const readOnly = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
const listOf =
  (...tools: object[]): Answer =>
  ({ method }) =>
    method === 'tools/list' ? complete({ tools }) : undefined;

describe('odd HTTP servers of revision 2026-07-28', () => {
  it('lose only the tools that make no sense, not the whole list', async () => {
    const { url } = await serveByHand(
      listOf({ name: 'good', ...readOnly }, { name: 'bad', inputSchema: 'none' }, { inputSchema: {} }, { name: 5 }),
    );
    const { byWireName, warnings } = await toolsetOf(registryFor({ url }));
    expect(warnings).not.toEqual([]);
    expect([...byWireName.keys()]).toContain('good');
  });

  it('may answer a call with blocks that nobody knows', async () => {
    const list = listOf({ name: 'odd', ...readOnly });
    const { url } = await serveByHand((request, http) =>
      request.method === 'tools/call' ? complete({ content: [{ type: 'hologram', x: 1 }] }) : list(request, http),
    );
    expect(await run(registryFor({ url }), 'odd')).toContain('hologram');
  });

  it('fail the call at once where the answer lacks its type', async () => {
    const list = listOf({ name: 'odd', ...readOnly });
    const { url } = await serveByHand((request, http) =>
      request.method === 'tools/call' ? { content: [] } : list(request, http),
    );
    const output = await callTool(toolNamed(await toolsetOf(registryFor({ url })), 'odd'), {});
    expect([output.isError, textOf(output)]).toEqual([true, expect.stringContaining('breaks the protocol')]);
  });

  it.each([
    ['is no message', '{"jsonrpc":"2.0","id":ID,"result":null}'],
    ['is no JSON', '{"jsonrpc"'],
  ])('fail the call at once, in plain words, where the answer %s', async (_name, body) => {
    const list = listOf({ name: 'odd', ...readOnly });
    const origin = await serveOnLoopback(async (http, response) => {
      const request = JSON.parse(await bodyOf(http)) as Request;
      const given = request.method === 'server/discover' ? DISCOVERED : list(request, http);
      const text = JSON.stringify({ jsonrpc: '2.0', id: request.id, result: given });
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.method === 'tools/call' ? body.replace('ID', String(request.id)) : text);
    });
    const toolset = await toolsetOf(registryFor({ url: `${origin}/mcp` }));
    expect(textOf(await callTool(toolNamed(toolset, 'odd'), {}))).toBe(
      'The server answered with something that breaks the protocol.',
    );
  });

  it('fail the call at once where the stream ends without an answer, even with event ids', async () => {
    const list = listOf({ name: 'odd', inputSchema: { type: 'object' } });
    const { url, seen } = await serveByHand((request, http) =>
      request.method === 'tools/call' ? 'id: 1\n: nothing\n\n' : list(request, http),
    );
    const output = await callTool(toolNamed(await toolsetOf(registryFor({ url })), 'odd'), {});
    expect(textOf(output)).toMatch(/was lost while "odd" ran .*may or may not/);
    expect(seen.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });

  it('are asked nothing elsewhere when they redirect', async () => {
    const { url } = await serveByHand(() => 307);
    const { warnings } = await toolsetOf(registryFor({ url, headers: { 'X-Api-Key': 'plainsecret42' } }));
    expect(warnings.join()).toMatch(/redirects to http:\/\/127\.0\.0\.1:9/);
  });

  it('find out after being replaced by an older one, and the call is sent there', async () => {
    let isReplaced = false;
    const { url } = await serveByHand((request) => {
      if (!isReplaced) {
        if (request.method === 'tools/list') return complete({ tools: [{ name: 'a', ...readOnly }] });
        return undefined;
      }
      if (request.method === 'initialize')
        return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'o', version: '1' } };
      if (request.method === 'notifications/initialized') return 202;
      if (request.method === 'tools/list') return { tools: [{ name: 'a', ...readOnly }] };
      const isOld = (request.params?._meta as object | undefined) === undefined || request.params?.name === undefined;
      if (request.method === 'tools/call' && !JSON.stringify(request).includes('protocolVersion'))
        return { content: [{ type: 'text', text: 'from the old one' }] };
      return isOld ? 400 : 404;
    });
    const registry = registryFor({ url });
    const tool = toolNamed(await toolsetOf(registry), 'a');
    isReplaced = true;
    expect(textOf(await callTool(tool, {}))).toBe('from the old one');
  });

  it('get arguments as headers where the schema says so, and lose tools whose headers cannot be made', async () => {
    let headers: IncomingMessage['headers'] = {};
    const region = (name: string) => ({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': name }, n: { type: 'integer', 'x-mcp-header': 'N' } },
    });
    const list = listOf(
      { name: 'good', inputSchema: region('Region') },
      { name: 'bad', inputSchema: region('not a token') },
      { name: 'number', inputSchema: { type: 'object', properties: { x: { type: 'number', 'x-mcp-header': 'X' } } } },
      {
        name: 'nested',
        inputSchema: { type: 'object', anyOf: [{ properties: { x: { type: 'string', 'x-mcp-header': 'X' } } }] },
      },
    );
    const { url } = await serveByHand((request, http) => {
      if (request.method !== 'tools/call') return list(request, http);
      ({ headers } = http);
      return complete({ content: [] });
    });
    const registry = registryFor({ url });
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['good']);
    expect(toolset.warnings).toHaveLength(3);
    expect(toolset.warnings.join()).toContain('"bad" is left out: its `x-mcp-header` cannot be followed');
    await callTool(toolNamed(toolset, 'good'), { region: 'Malmö', n: 42 });
    expect(headers).toMatchObject({ 'mcp-param-region': '=?base64?TWFsbcO2?=', 'mcp-param-n': '42' });
    await callTool(toolNamed(toolset, 'good'), { region: 'eu' });
    expect(headers).toMatchObject({ 'mcp-param-region': 'eu' });
    expect(headers).not.toHaveProperty('mcp-param-n');
  });
});

/** Servers that know nothing newer than `initialize`. */
const older = (onUnknown: string): McpStdioConfig => ({
  command: process.execPath,
  args: [
    '-e',
    `
    const answers = {
      initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
      'tools/list': () => ({ tools: [{ name: 'pid', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: String(process.pid) }] }),
    };
    const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      const result = answers[method]?.(params);
      if (result !== undefined) say({ id, result });
      else if (id !== undefined) { ${onUnknown} }
    });
  `,
  ],
});

describe('processes that know only older revisions', () => {
  it.each([
    ['say that they do not know what they are asked', `say({ id, error: { code: -32601, message: 'no' } });`],
    ['end when they are asked what they do not know', 'process.exit(1);'],
    ['never answer what they do not know', ''],
    ['answer it with nonsense', 'say({ id, result: null });'],
  ])('that %s work as ever', async (_name, onUnknown) => {
    const registry = registryFor(older(onUnknown));
    const toolset = await toolsetOf(registry);
    expect(toolset.warnings).toEqual([]);
    expect(Number(textOf(await callTool(toolNamed(toolset, 'pid'), {})))).toBeGreaterThan(0);
  });

  it('are not asked again once they turned out to be older', async () => {
    const config = older('');
    const registry = registryFor(config);
    const pid = Number(await run(registry, 'pid'));
    process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const begun = Date.now();
    expect(Number(await run(registry, 'pid'))).not.toBe(pid);
    expect(Date.now() - begun).toBeLessThan(3_500);
  });
});

describe('HTTP servers that know only older revisions', () => {
  it.each([400, 404, 405, 406, 415, 500, 501])('that answer the question with %i work as ever', async (status) => {
    const { url, seen } = await serveByHand(({ method }) => {
      if (method === 'server/discover') return status;
      if (method === 'initialize')
        return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'o', version: '1' } };
      if (method === 'tools/list') return { tools: [{ name: 'a', ...readOnly }] };
      if (method === 'tools/call') return { content: [{ type: 'text', text: 'old' }] };
      return 202;
    });
    expect(await run(registryFor({ url }), 'a')).toBe('old');
    expect(seen.filter(({ method }) => method === 'server/discover')).toHaveLength(1);
  });

  it('that refuse the credentials are asked nothing more', async () => {
    const { url, seen } = await serveByHand(() => 401);
    const { warnings } = await toolsetOf(registryFor({ url }));
    expect(warnings.join()).toMatch(/HTTP 401.*Check the credentials/);
    expect(seen).toHaveLength(1);
  });
});

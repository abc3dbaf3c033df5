import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';
import { until } from '../support/servers.js';
import { registryWith } from './helpers.js';

interface Message {
  id?: number;
  method: string;
}

type Answer = (message: Message, response: ServerResponse) => boolean | void;

/** An MCP server over real HTTP that answers as `odd` says, and like a plain one where that returns false. */
async function startServer(odd: Answer, seen: string[] = []): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message = JSON.parse(body) as Message;
    seen.push(message.method);
    if (odd(message, response) !== true) plain(message, response);
  };
  return `${await serveOnLoopback(answer)}/mcp`;
}

const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } },
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'ok' }] },
};

const rpc = ({ id, method }: Message): object => ({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} });

function plain(message: Message, response: ServerResponse): void {
  if (message.id === undefined) response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rpc(message)));
}

async function callOver(url: string): Promise<{ text: string; warnings: readonly string[] }> {
  const toolset = await toolsetOf(registryWith({ docs: { url } }));
  return { text: textOf(await callTool(toolNamed(toolset, 'a'), {})), warnings: toolset.warnings };
}

describe('servers that take the protocol lightly', () => {
  it.each<[string, Answer]>([
    [
      'event frames without an event name',
      (message, response) => {
        if (message.id === undefined) return false;
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data: ${JSON.stringify(rpc(message))}\n\n`);
        return true;
      },
    ],
    [
      'an empty object in reply to a notification',
      (message, response) => {
        if (message.id !== undefined) return false;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        return true;
      },
    ],
    [
      'a list whose members are null where nothing is known',
      (message, response) => {
        if (message.method !== 'tools/list') return false;
        const tool = {
          name: 'a',
          description: null,
          title: null,
          annotations: null,
          outputSchema: null,
          inputSchema: null,
        };
        const body = { jsonrpc: '2.0', id: message.id, result: { tools: [tool, null, 'x'] } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      },
    ],
  ])('are understood: %s', async (_name, odd) => {
    expect((await callOver(await startServer(odd))).text).toBe('ok');
  });

  it('are given up with a reason when a call is answered with HTTP 500', async () => {
    const url = await startServer((message, response) => {
      if (message.method !== 'tools/call') return false;
      response.writeHead(500).end('database is down');
      return true;
    });
    expect((await callOver(url)).text).toMatch(/^HTTP 500: database is down/);
  });

  it.each([
    [{ content: 'the answer' }, 'the answer'],
    [{ content: { type: 'text', text: 'the answer' } }, 'the answer'],
    [{ result: 42 }, '{"result":42}'],
    [{ isError: true, error: 'no such file' }, '{"error":"no such file"}'],
    [{ _meta: { x: 1 } }, '(no output)'],
  ])('lose nothing where the content is no list: %j', async (result, text) => {
    const url = await startServer((message, response) => {
      if (message.method !== 'tools/call') return false;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      return true;
    });
    expect((await callOver(url)).text).toBe(text);
  });

  it('are said to have a list of tools that is none', async () => {
    const url = await startServer((message, response) => {
      if (message.method !== 'tools/list') return false;
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { tools: 'none' } }));
      return true;
    });
    const { warnings } = await toolsetOf(registryWith({ docs: { url } }));
    expect(warnings).toEqual([expect.stringContaining('its tool list is not a list')]);
  });

  it('are named with the status where the SDK hides it', async () => {
    const url = await startServer((_message, response) => (response.writeHead(401).end(), true));
    const { warnings } = await toolsetOf(registryWith({ docs: { url } }));
    expect(warnings).toEqual([expect.stringMatching(/is not available: HTTP 401\. Check the credentials/)]);
  });

  it('are told from those that speak only a newer revision, which are asked once and name the cure', async () => {
    const seen: string[] = [];
    const body = {
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32_022,
        message: 'Unsupported protocol version: 2025-11-25',
        data: { supported: ['2026-07-28'] },
      },
    };
    const url = await startServer((_message, response) => {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      return true;
    }, seen);
    const { warnings } = await toolsetOf(registryWith({ docs: { url } }));
    expect(warnings).toEqual([expect.stringMatching(/2026-07-28.*`@modelcontextprotocol\/client`/)]);
    expect(warnings[0]).not.toContain('Check the path');
    expect(seen).toEqual(['initialize']);
  });

  it('cost only their own tools when they answer initialize with HTTP 500', async () => {
    const broken = await startServer((_message, response) => (response.writeHead(500).end('no'), true));
    const fine = await startServer(() => false);
    const toolset = await toolsetOf(registryWith({ broken: { url: broken }, fine: { url: fine } }));
    expect([...toolset.byWireName.keys()]).toEqual(['a']);
    expect(toolset.warnings).toEqual([expect.stringMatching(/"broken".*trouble of its own/)]);
  });
});

describe('a session that the server has forgotten', () => {
  it.each<[string, number, string]>([
    ['404', 404, ''],
    ['410', 410, ''],
    ['400 and words', 400, 'Bad Request: session not found'],
    ['401 and words', 401, 'Invalid session'],
    ['an error of the protocol', 200, 'Session not found'],
  ])(
    'is begun anew after %s, once for parallel calls, and each call is sent again once',
    async (_name, status, words) => {
      const seen: string[] = [];
      let sessions = 0;
      const url = await startServer((message, response) => {
        if (message.method === 'initialize') sessions += 1;
        if (message.method !== 'tools/call' || sessions > 1) return false;
        const error = { jsonrpc: '2.0', id: message.id, error: { code: -32001, message: words } };
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(status === 200 ? JSON.stringify(error) : words);
        return true;
      }, seen);
      const toolset = await toolsetOf(registryWith({ docs: { url } }));
      const outputs = await Promise.all([1, 2, 3].map(() => callTool(toolNamed(toolset, 'a'), {})));
      expect(outputs.map(textOf)).toEqual(['ok', 'ok', 'ok']);
      expect(seen.filter((method) => method === 'initialize')).toHaveLength(2);
      expect(seen.filter((method) => method === 'tools/call')).toHaveLength(6);
    },
  );
});

it.each([
  ['a tool that may have acted runs once', false, 1],
  ['a tool that only reads runs again over a new session', true, 2],
])('%s when the words of its error fit a lost session', async (_name, readOnlyHint, runs) => {
  const seen: string[] = [];
  const url = await startServer((message, response) => {
    const send = (body: object): boolean => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body });
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      return true;
    };
    const tool = { name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint } };
    if (message.method === 'tools/list') return send({ result: { tools: [tool] } });
    const error = { code: -32000, message: 'Charged, but the session expired at the printer' };
    return message.method === 'tools/call' && send({ error });
  }, seen);
  expect((await callOver(url)).text).toContain('Charged, but the session expired');
  expect(seen.filter((method) => method === 'tools/call')).toHaveLength(runs);
});

describe('a call that is given up is cancelled at the server', () => {
  const hanging: Answer = ({ method }) => method === 'tools/call';
  const cancelled = (seen: readonly string[]) => (): boolean => seen.includes('notifications/cancelled');

  it('when the provider is closed while it runs', async () => {
    const seen: string[] = [];
    const registry = registryWith({ docs: { url: await startServer(hanging, seen) } });
    const running = callTool(toolNamed(await toolsetOf(registry), 'a'), {});
    await until(() => seen.includes('tools/call'));
    await registry.close();
    expect(await running).toMatchObject({ isError: true });
    expect(textOf(await running)).toContain('The provider was closed');
    await until(cancelled(seen));
  });

  it('when it runs out of time', async () => {
    const seen: string[] = [];
    const registry = registryWith({ docs: { url: await startServer(hanging, seen) } });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'a'), {}, { toolTotalTimeoutMs: 50 });
    expect(textOf(output)).toContain('total limit');
    await until(cancelled(seen));
  });

  it('when its caller gives up and closes the provider at once', async () => {
    const seen: string[] = [];
    const abort = new AbortController();
    const registry = registryWith({ docs: { url: await startServer(hanging, seen) } });
    const running = callTool(toolNamed(await toolsetOf(registry), 'a'), {}, { signal: abort.signal });
    await until(() => seen.includes('tools/call'));
    abort.abort();
    const [outcome] = await Promise.allSettled([running, registry.close()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    await until(cancelled(seen));
  });
});

it('a session that is given up lasts as long as the calls over it, but closing does not wait for them', async () => {
  let calls = 0;
  const url = await startServer((message, response) => {
    if (message.method !== 'tools/call') return false;
    calls += 1;
    if (calls === 2) response.writeHead(404).end();
    // The first one is never answered.
    return calls < 3;
  });
  const registry = registryWith({ docs: { url } });
  const a = toolNamed(await toolsetOf(registry), 'a');
  const hanging = callTool(a, {});
  await until(() => calls === 1);
  expect(textOf(await callTool(a, {}))).toBe('ok');
  await registry.close();
  expect(await hanging).toMatchObject({ isError: true });
});

it('a result of a megabyte is cut, with a mark', async () => {
  const big = 'x'.repeat(1_000_000);
  const url = await startServer((message, response) => {
    if (message.method !== 'tools/call') return false;
    const body = { jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: big }] } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  });
  const { text } = await callOver(url);
  expect(text.length).toBeLessThan(201_000);
  expect(text).toMatch(/1000000|1,000,000|800000|800,000/);
});

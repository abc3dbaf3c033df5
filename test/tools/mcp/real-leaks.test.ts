import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpServerConfig } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { everythingPath, startEverything, until, type RunningServer } from '../support/servers.js';

let http: RunningServer;
let sse: RunningServer;
beforeAll(async () => {
  [http, sse] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
});
afterAll(async () => {
  await Promise.all([http.kill(), sse.kill()]);
});

/** What keeps this process alive, by kind. The test servers and the test runner have their share: it must not grow. */
function held(): Record<string, number> {
  const counts: Record<string, number> = { ProcessWrap: 0, PipeWrap: 0, TCPSocketWrap: 0, Timeout: 0, Immediate: 0 };
  for (const kind of process.getActiveResourcesInfo()) {
    if (counts[kind] !== undefined) counts[kind] += 1;
  }
  return counts;
}

/** Processes that came out of this one, whoever is their parent by now. */
async function processes(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'ppid=,args=']);
  return stdout.split('\n').filter((line) => Number.parseInt(line, 10) === process.pid && !line.includes('ps -eo'))
    .length;
}

const transports: [string, () => McpServerConfig][] = [
  ['stdio', () => ({ command: process.execPath, args: [everythingPath] })],
  ['streamable HTTP', () => ({ url: http.url })],
  ['SSE', () => ({ url: sse.url, type: 'sse' })],
];

async function leavesNothing(use: () => Promise<void>): Promise<void> {
  const [before, children] = [held(), await processes()];
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  await use();
  const grown = (): string[] => Object.keys(before).filter((kind) => (held()[kind] ?? 0) > (before[kind] ?? 0));
  await until(() => grown().length === 0).catch(() => {});
  expect(grown()).toEqual([]);
  expect(await processes()).toBe(children);
  expect(warnings).toEqual([]);
}

async function echoOnce(registry: ToolRegistry): Promise<void> {
  const { byWireName } = await toolsetOf(registry);
  const echo = byWireName.get('echo');
  if (echo !== undefined) expect(textOf(await callTool(echo, { message: 'x' }))).toBe('Echo: x');
}

describe.each(transports)('over %s', (_name, config) => {
  it('nothing is left after a close, after an aborted connect, and after a close during a call', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await leavesNothing(async () => {
      const mcpServers = { server: config() };
      const used = createToolRegistry({ mcpServers });
      await echoOnce(used);
      await used.close();

      const aborted = createToolRegistry({ mcpServers });
      const toolset = toolsetOf(aborted);
      await aborted.close();
      await expect(toolset).rejects.toMatchObject({ code: 'closed' });

      const busy = createToolRegistry({ mcpServers });
      let started = (): void => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const call = callTool(
        toolNamed(await toolsetOf(busy, signal), 'trigger-long-running-operation'),
        { duration: 600, steps: 6_000 },
        { signal, observer: (event) => event.type === 'tool-progress' && started() },
      );
      await running;
      await busy.close();
      expect(await call).toMatchObject({ isError: true });
    });
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });
});

describe('many connections', () => {
  it('100 times connected, called and closed, nothing has grown', async () => {
    const script = scripted([tool('echo', { annotations: { readOnlyHint: true } })]);
    script.onCall = async () => ({ content: [{ type: 'text', text: 'Echo: x' }] });
    const options = { mcpServers: { one: { url: 'http://one/mcp' } }, openTransport: serve({ one: script }) };
    await leavesNothing(async () => {
      for (let round = 0; round < 100; round += 1) {
        const registry = createToolRegistry(options);
        await echoOnce(registry);
        await registry.close();
      }
    });
    expect(script.calls).toHaveLength(100);
  });

  it('10 times over HTTP either', async () => {
    await leavesNothing(async () => {
      for (let round = 0; round < 10; round += 1) {
        const registry = createToolRegistry({ mcpServers: { server: { url: http.url } } });
        await echoOnce(registry);
        await registry.close();
      }
    });
  });

  it('an HTTP server that accepts and says nothing holds nobody up', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once('listening', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`;
    const reached = new Promise((resolve) => silent.once('request', resolve));
    await leavesNothing(async () => {
      const registry = createToolRegistry({ mcpServers: { silent: { url } } });
      const toolset = toolsetOf(registry);
      await reached;
      await registry.close();
      await expect(toolset).rejects.toMatchObject({ code: 'closed' });
      silent.closeAllConnections();
    });
  });

  it('a server that ends all its streams when its session ends, and names a day to wait, does not keep the process alive', async () => {
    const open = new Set<ServerResponse>();
    const server = createServer((request, response) => void answer(request, response, open)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await leavesNothing(async () => {
      const registry = createToolRegistry({ mcpServers: { server: { url } } });
      const call = callTool(toolNamed(await toolsetOf(registry), 'wait'), {});
      await until(() => open.size === 2);
      await registry.close();
      expect(await call).toMatchObject({ isError: true });
      server.closeAllConnections();
    });
  });
});

/** A server whose calls are never answered; their streams and the listening one end with the session. */
async function answer(request: IncomingMessage, response: ServerResponse, open: Set<ServerResponse>): Promise<void> {
  const stream = (): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 86400000\nid: 1\ndata:\n\n');
    open.add(response);
  };
  if (request.method === 'GET') return stream();
  if (request.method === 'DELETE') {
    for (const each of open) each.end();
    for (const each of open) if (!each.closed) await once(each, 'close');
    return void response.writeHead(200).end();
  }
  const { id, method } = JSON.parse(await text(request)) as { id?: number; method: string };
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call') return stream();
  const initialized = {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  const result = method === 'initialize' ? initialized : { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] };
  response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

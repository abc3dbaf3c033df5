import { describe, expect, it } from 'vitest';
import { paceStreams } from '../../../src/tools/mcp/sdk-gaps/pace-streams.js';
import { delay } from '../../../src/util/timers.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';
import { registryWith } from './helpers.js';

const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } },
  'tools/list': { tools: [{ name: 'hi', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'hi there' }] },
};

/** Ends every event stream at once, and has the client open it again without a pause. */
async function startServer(): Promise<{ url: string; streams: () => number }> {
  let streams = 0;
  const url = await serveOnLoopback(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET') {
      streams += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.end(`id: ${streams}\nretry: 0\ndata: \n\n`);
    }
    const message = JSON.parse(body || '{}') as { id?: number; method: string };
    if (message.id === undefined) return void response.writeHead(202).end();
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: RESULTS[message.method] ?? {} });
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  return { url: `${url}/mcp`, streams: () => streams };
}

describe('an MCP server that ends its event streams to have them opened again', () => {
  it('gets some requests immediately, then fewer and fewer, and its tools work', async () => {
    const { url, streams } = await startServer();
    const toolset = await toolsetOf(registryWith({ docs: { url, type: 'http' } }));
    expect(textOf(await callTool(toolNamed(toolset, 'hi'), {}))).toBe('hi there');
    await delay(1_500, new AbortController().signal);
    expect(streams()).toBeGreaterThan(5);
    expect(streams()).toBeLessThan(25);
  });

  const opening = (everyMs: number) => {
    let time = 0;
    const fetch = paceStreams(
      async () => {
        time += everyMs;
        return new Response();
      },
      {
        now: () => time,
        pause: async (ms) => {
          time += ms;
        },
      },
    );
    const open = () => fetch('http://127.0.0.1/mcp', { method: 'GET' });
    const send = (message: object) =>
      fetch('http://127.0.0.1/mcp', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
    return { open, send, time: () => time };
  };

  it('gets a request at most every ten seconds in the long run', async () => {
    const { open, time } = opening(0);
    for (let n = 0; n < 1_000; n += 1) await open();
    expect(time()).toBeGreaterThan(9_600_000);
  });

  it('is not made to wait for streams that last ten seconds', async () => {
    const { open, time } = opening(10_000);
    for (let n = 0; n < 100; n += 1) await open();
    expect(time()).toBe(1_000_000);
  });

  it('gets the next ones at once after a request of ours, and not after an answer to one of its own', async () => {
    const { open, send, time } = opening(0);
    for (let n = 0; n < 17; n += 1) await open();
    const before = time();
    await send({ id: 1, result: {} });
    await open();
    expect(time() - before).toBe(2_000);
    await send({ id: 2, method: 'tools/call' });
    for (let n = 0; n < 16; n += 1) await open();
    expect(time() - before).toBe(2_000);
  });

  it('is not waited for once the connection is closed', async () => {
    const fetch = paceStreams(async () => new Response());
    const signal = AbortSignal.timeout(50);
    const open = () => fetch('http://127.0.0.1/mcp', { method: 'GET', signal });
    await expect(
      (async () => {
        for (let n = 0; n < 20; n += 1) await open();
      })(),
    ).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

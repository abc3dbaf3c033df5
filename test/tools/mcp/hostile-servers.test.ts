import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits.js';
import type { ToolOutput } from '../../../src/core/message.js';
import type { Toolset } from '../../../src/tools/loop-tool.js';
import { answerUnknownTool } from '../../../src/loop/unknown-tool.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';
import { registryWith } from './helpers.js';

const program = fileURLToPath(new URL('../../support/hostile-mcp-server.mjs', import.meta.url));

interface Hostile {
  readonly toolset: Toolset;
  readonly warning: string;
  call(name?: string, options?: Parameters<typeof callTool>[2]): Promise<ToolOutput>;
}

/** A server that misbehaves as the mode says, over standard streams, with a well-behaved one beside it. */
async function hostile(mode: string, limits: Partial<Limits> = {}, connectTimeoutMs = 20_000): Promise<Hostile> {
  const server = (name: string) => ({ command: process.execPath, args: [program, name] });
  const registry = registryWith(
    { bad: server(mode), good: server('plain') },
    { limits: { ...DEFAULT_LIMITS, ...limits }, connectTimeoutMs },
  );
  const toolset = await toolsetOf(registry);
  return {
    toolset,
    warning: toolset.warnings.join('\n'),
    call: (name = 'bad__hi', options = {}) => callTool(toolNamed(toolset, name), {}, options),
  };
}

const namesOf = ({ toolset }: Hostile): string[] => [...toolset.byWireName.keys()];
const toolsOf = ({ toolset }: Hostile) => toolset.tools.filter(({ source }) => source.key === 'bad');
const raw = /[^\P{Cc}\n\t]/u;

describe('answers that are none', () => {
  it('nul: what breaks the protocol is an error at once, not when the time is up', async () => {
    const server = await hostile('nul');
    const output = await server.call('bad__hi', { toolTimeoutMs: 20_000 });
    expect(output.isError).toBe(true);
    expect(textOf(output)).toContain('answer of the server is not an MCP message');
  }, 15_000);

  it('str: a bare text is what the tool says', async () => {
    expect(textOf(await (await hostile('str')).call())).toBe('the answer');
  });
});

describe('quantities', () => {
  it('many: a million empty blocks are cut like any long output', async () => {
    const text = textOf(await (await hostile('many')).call());
    expect(text.length).toBeLessThan(200_100);
    expect(text).toMatch(/^\[output cut: 960001 of 1000001 characters left out\]\nx$/);
  });

  it('lines: the line breaks of a result count', async () => {
    expect(textOf(await (await hostile('lines')).call()).length).toBeLessThan(200_100);
  });

  it.each(['bad__hi', 'good__hi'])(
    'big: an endless message affects only calls to the server that sent it, and the errors give the reason (%s)',
    async (name) => {
      const server = await hostile('big');
      const text = textOf(await server.call(name));
      if (name === 'good__hi') expect(text).toBe('hi there');
      else
        expect(text).toBe(
          'The connection to MCP server "bad" was lost while "hi" ran (The MCP server sent a message longer than 33,554,432 characters, and was stopped).',
        );
    },
  );

  it('big: a read-only tool is not tried again for that', async () => {
    const { events, observer } = recorder();
    const output = await (await hostile('big')).call('bad__hi', { maxToolRetries: 3, observer });
    expect(output.isError).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(['tool-start', 'tool-end']);
  });

  it('big-start: a first message without end is a reason in the warning', async () => {
    const server = await hostile('big-start');
    expect(namesOf(server)).toEqual(['hi']);
    expect(server.warning).toMatch(/"bad".*sent a message longer than 33,554,432 characters.*must send less/);
  });

  it.each(['long-error', 'long-is-error'])('%s: an error is cut for the model', async (mode) => {
    const output = await (await hostile(mode)).call();
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/e{100}\n\[output cut: \d+ of \d+ characters left out\]\ne{3000}$/);
    expect(textOf(output).length).toBeLessThan(4_100);
  });

  it('fat: a list of half a million tools is read up to the limit, quickly and with one warning', async () => {
    const begin = Date.now();
    const server = await hostile('fat');
    expect(Date.now() - begin).toBeLessThan(15_000);
    expect(toolsOf(server)).toHaveLength(1_000);
    expect(server.toolset.warnings).toEqual([
      'MCP server "bad": it has more than 1000 tools; the first ones are used (limit: limits.toolsPerServer).',
    ]);
  });

  it('one-fat-page: the limit is a setting, and a filter comes before it', async () => {
    expect(toolsOf(await hostile('one-fat-page', { toolsPerServer: 10_000 }))).toHaveLength(5_000);
    const args = [program, 'one-fat-page'];
    const filtered = registryWith({ bad: { command: process.execPath, args, allowTools: ['t4999', 't1'] } });
    const toolset = await toolsetOf(filtered);
    expect([...toolset.byWireName.keys()]).toEqual(['t1', 't4999']);
    expect(toolset.warnings).toEqual([]);
  });

  it('one-fat-page: a call of an unknown tool is answered with some of the names, not all', async () => {
    const { toolset } = await hostile('one-fat-page', { toolsPerServer: 10_000 });
    const own = {
      call: { type: 'tool-call', callId: 'c', name: 'nope', arguments: '{}' },
      fate: { origin: 'loop', shownAs: undefined, overlaps: true },
    } as const;
    const output = answerUnknownTool(own, { call: { clientTools: [] } as never, toolset, limits: {} as never });
    expect(textOf(output)).toMatch(/^There is no tool named "nope"\. The tools are: .*\n\[output cut: /);
    expect(textOf(output).length).toBeLessThan(4_100);
  });

  it.each([
    ['endless-pages', 101, /more than 100 pages/],
    ['repeated-pages', 2, /repeats itself/],
  ])('%s: the tools that came are used', async (mode, count, warning) => {
    const server = await hostile(mode);
    expect(namesOf(server)).toHaveLength(count);
    expect(server.warning).toMatch(warning);
  });

  it('empty-pages: a list without tools and without end ends', async () => {
    expect((await hostile('empty-pages')).warning).toMatch(/more than 100 pages/);
  });

  it('a client of the app that lists without end is given up in time, though it never waits for anything', async () => {
    let pages = 0;
    const client = {
      listTools: async () => ({ tools: [{ name: `t${pages}` }], nextCursor: `c${(pages += 1)}` }),
      callTool: async () => ({ content: [] }),
    };
    const registry = registryWith({ bad: client }, { connectTimeoutMs: 20 });
    const toolset = await toolsetOf(registry);
    expect(toolset.warnings.join()).toMatch(/no answer within 20 ms|more than 100 pages/);
    expect(pages).toBeLessThanOrEqual(100);
  });

  it('long-description: a description is cut and marked', async () => {
    const [tool] = toolsOf(await hostile('long-description'));
    expect(tool?.declaration.description).toBe(`${'d'.repeat(8_000)}\n[cut: 4992000 more characters]`);
  });

  it('long-schema: a warning names the tool that is left out, and the others stay', async () => {
    const server = await hostile('long-schema');
    expect(toolsOf(server)).toHaveLength(1);
    expect(server.toolset.warnings).toEqual([
      'MCP server "bad": the tool "wide" is left out: a schema may have 32000 characters (limit: limits.schemaChars).',
    ]);
    expect(toolsOf(await hostile('long-schema', { schemaChars: 1_000_000 }))).toHaveLength(2);
  });

  it('deep-schema: the tool is left out, the others stay', async () => {
    const server = await hostile('deep-schema');
    expect(toolsOf(server).map(({ tool }) => tool.name)).toEqual(['hi']);
    expect(server.warning).toBe('MCP server "bad": the tool "deep" is left out: a schema is nested too deeply.');
  });

  it('growing-schema: a schema that references blow up goes out with its references', async () => {
    const [tool] = toolsOf(await hostile('growing-schema'));
    expect(JSON.stringify(tool?.declaration.inputSchema).length).toBeLessThan(64_000);
  });

  it('deep-result: a result that is too deep is an error that says of what', async () => {
    const output = await (await hostile('deep-result')).call();
    expect(textOf(output)).toBe('The result of "hi" is nested too deeply to be read.');
  });

  it('long-names, long-title: a name of a million characters is left out, a title is cut', async () => {
    const named = await hostile('long-names');
    expect(toolsOf(named)).toHaveLength(1);
    expect(named.warning.length).toBeLessThan(300);
    const [titled] = toolsOf(await hostile('long-title'));
    expect(titled?.tool.title?.length).toBeLessThan(8_100);
  });
});

describe('shapes', () => {
  it('nameless: five tools without a name are one warning', async () => {
    expect((await hostile('nameless')).toolset.warnings).toEqual([
      'MCP server "bad": 5 tools without a name are left out.',
    ]);
  });

  it('odd-names: every name becomes a legal one, and runs', async () => {
    const server = await hostile('odd-names');
    const tools = toolsOf(server);
    expect(tools).toHaveLength(9);
    for (const { declaration } of tools) {
      expect(declaration.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(textOf(await server.call(declaration.name))).toBe('hi there');
    }
  });

  it.each(['str', 'twice'])('%s: the call ends', async (mode) => {
    expect((await (await hostile(mode)).call()).content.length).toBeGreaterThan(0);
  });

  it.each(['nul', 'wrong-id', 'error-text', 'silent'])('%s: the call ends with its time', async (mode) => {
    const output = await (await hostile(mode)).call('bad__hi', { toolTimeoutMs: 300 });
    expect(output.isError).toBe(true);
  });
});

describe('characters', () => {
  it.each(['ansi', 'ansi-start', 'ansi-stderr'])(
    '%s: terminal control sequences are escaped in the warning',
    async (mode) => {
      const server = await hostile(mode);
      expect(namesOf(server)).toEqual(['hi']);
      expect(server.warning).toContain('\\u{1b}[2J');
      expect(server.warning).not.toMatch(raw);
    },
  );

  it('ansi-call: orders to a terminal are written out in what the model reads', async () => {
    const text = textOf(await (await hostile('ansi-call')).call());
    expect(text).toContain('boom \\u{1b}[2J');
    expect(text).not.toMatch(raw);
  });

  it('hidden-text: what only a model would see is taken out of descriptions, with one warning', async () => {
    const server = await hostile('hidden-text');
    const [tool] = toolsOf(server);
    expect(tool?.declaration.description).toBe('Says hi. Twice.');
    expect(JSON.stringify(tool?.declaration.inputSchema)).toContain('"description":"Whom to greet."');
    expect(server.toolset.warnings).toEqual([
      'MCP server "bad": the tool "hi" is described with invisible characters; they were taken out.',
    ]);
  });
});

describe('patterns', () => {
  it('redos: a malicious regular expression in a schema never runs', async () => {
    const output = await (await hostile('redos')).call();
    const value = { s: `${'a'.repeat(40)}!` };
    expect(textOf(output)).toBe(`x\n${JSON.stringify(value)}`);
    expect(output.value).toEqual(value);
  });
});

describe('noise and endings', () => {
  it.each(['noise', 'storm'])('%s: what it says beside the protocol is passed over', async (mode) => {
    expect(textOf(await (await hostile(mode)).call())).toBe('hi there');
  });

  it('stderr-long: the warning shows the error at the beginning and the last words', async () => {
    const { warning } = await hostile('stderr-long');
    expect(warning).toMatch(/It wrote: Error: no licence[^]*\[…\][^]*Node\.js v0/);
    expect(warning.length).toBeLessThan(1_500);
  });

  it('exits: a lost read-only call names its server', async () => {
    expect(textOf(await (await hostile('exits')).call())).toMatch(
      /^The connection to MCP server "bad" was lost while "hi" ran/,
    );
  });

  it('exits-at-start: the other tools stay', async () => {
    expect(namesOf(await hostile('exits-at-start'))).toEqual(['hi']);
  });
});

/** An MCP server over HTTP whose answer to a call is what the test writes. */
function overHttp(
  type: string,
  write: (send: (chunk: string | Uint8Array) => Promise<void>) => Promise<void>,
  status = 200,
) {
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } },
    'tools/list': { tools: [{ name: 'hi', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
  };
  const seen = { calls: 0, bytes: 0 };
  const origin = serveOnLoopback(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    if (method !== 'tools/call') {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    }
    seen.calls += 1;
    response.writeHead(status, { 'content-type': type });
    await write(async (chunk) => {
      if (response.destroyed) throw new Error('gone');
      seen.bytes += chunk.length;
      response.write(chunk);
      while (response.writableNeedDrain && !response.destroyed) await sleep(1);
    }).catch(() => {});
    response.end();
  });
  return { origin, seen };
}

describe('answers over HTTP', () => {
  const limits = { ...DEFAULT_LIMITS, messageBytes: 1_000_000 };
  const piece = 'x'.repeat(50_000);
  const endless = async (send: (chunk: string) => Promise<void>): Promise<void> => {
    for (;;) await send(piece);
  };

  it.each([
    [
      'application/json',
      /^The answer of the MCP server has more than 1000000 bytes \(limit: limits\.messageBytes\)\.$/,
    ],
    ['text/event-stream', /has an event of more than 1000000 bytes \(limit: limits\.messageBytes\)\.$/],
  ])(
    'that never end (%s) are aborted at the limit and not requested again, and an error tells the model why',
    async (type, said) => {
      const { origin, seen } = overHttp(type, async (send) => {
        await send('data: ');
        await endless(send);
      });
      const toolset = await toolsetOf(registryWith({ docs: { url: `${await origin}/mcp` } }, { limits }));
      const output = await callTool(toolNamed(toolset, 'hi'), {}, { maxToolRetries: 2 });
      expect(textOf(output)).toMatch(said);
      expect(seen.calls).toBe(1);
      // What the sockets hold beyond what was read.
      expect(seen.bytes).toBeLessThan(20_000_000);
    },
  );

  it('that report a failure are read at their beginning', async () => {
    const { origin, seen } = overHttp('text/html', endless, 500);
    const toolset = await toolsetOf(registryWith({ docs: { url: `${await origin}/mcp` } }, { limits }));
    const text = textOf(await callTool(toolNamed(toolset, 'hi'), {}));
    expect(text).toMatch(/xxx\n\[output cut: /);
    expect(text.length).toBeLessThan(4_100);
    expect(seen.bytes).toBeLessThan(20_000_000);
  });

  it('as a stream of any length are read, as long as each event is within the limit', async () => {
    const { origin } = overHttp('text/event-stream', async (send) => {
      const progress = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: piece } };
      for (let sent = 0; sent < 60; sent += 1) await send(`data: ${JSON.stringify(progress)}\r\n\r\n`);
      await send(`data: {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}\n\n`);
    });
    const toolset = await toolsetOf(registryWith({ docs: { url: `${await origin}/mcp` } }, { limits }));
    expect(textOf(await callTool(toolNamed(toolset, 'hi'), {}))).toBe('done');
  });

  it('that only decompression makes large count as they are then', async () => {
    const fetchBomb: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (typeof init?.body !== 'string' || !init.body.includes('tools/call')) return response;
      await response.body?.cancel();
      const zipped = new Blob([new Uint8Array(5_000_000)]).stream().pipeThrough(new CompressionStream('gzip'));
      const body = zipped.pipeThrough(new DecompressionStream('gzip'));
      return new Response(body, { headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
    };
    const { origin } = overHttp('application/json', async () => {});
    const registry = registryWith({ docs: { url: `${await origin}/mcp` } }, { limits, fetch: fetchBomb });
    expect(textOf(await callTool(toolNamed(await toolsetOf(registry), 'hi'), {}))).toMatch(/more than 1000000 bytes/);
  });

  it('over SSE without end are given up at the limit, which the model reads', async () => {
    const origin = serveSse(async (send) => endless(send));
    const registry = registryWith({ docs: { url: `${await origin}/sse`, type: 'sse' } }, { limits });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'hi'), {});
    expect(textOf(output)).toMatch(
      /"docs" was lost while "hi" ran \(.*more than 1000000 bytes \(limit: limits\.messageBytes\)\)/,
    );
  });

  it('to the first request are a reason in the warning', async () => {
    const origin = await serveOnLoopback(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(piece), 1);
      response.on('close', () => clearInterval(timer));
    });
    const { events, observer } = recorder();
    const registry = registryWith({ docs: { url: `${origin}/mcp` } }, { limits, observer });
    const { warnings } = await toolsetOf(registry);
    expect(warnings.join()).toMatch(/"docs".*more than 1000000 bytes \(limit: limits\.messageBytes\)/);
    expect(events.map(({ type }) => type)).toEqual(['mcp-error']);
    await expect((await registry.source('docs')).client()).rejects.toMatchObject({ code: 'limit' });
  });
});

/** An MCP server over SSE that answers on its stream, and a call as the test says. */
function serveSse(onCall: (send: (chunk: string) => Promise<void>) => Promise<void>): Promise<string> {
  let stream: ServerResponse;
  return serveOnLoopback(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void stream.write('event: endpoint\ndata: /messages\n\n');
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(202).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return;
    if (method === 'tools/call') {
      stream.write('data: ');
      const send = async (chunk: string): Promise<void> => {
        if (stream.destroyed) throw new Error('gone');
        stream.write(chunk);
        while (stream.writableNeedDrain && !stream.destroyed) await sleep(1);
      };
      return onCall(send).catch(() => {});
    }
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        : { tools: [{ name: 'hi', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] };
    stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
}

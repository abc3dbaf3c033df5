import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpClientLike, McpClientRequestOptions } from '../../../src/tools/mcp/connect/client-like.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool, type ScriptedServer } from '../support/in-memory-server.js';
import { until } from '../support/servers.js';
import { registryWith } from './helpers.js';

async function connect(client: Client, server: ScriptedServer): Promise<Client> {
  const { transport } = await serve({ one: server })({ url: 'http://one/' }, 'http', fetch);
  await client.connect(transport);
  return client;
}

function newClient(): Client {
  // Nothing passes it: the validator of a client is for its own `callTool()`, not for ours.
  const getValidator = () => () => ({ valid: false, data: undefined, errorMessage: 'refused' }) as const;
  const client = new Client({ name: 'app', version: '1' }, { jsonSchemaValidator: { getValidator } });
  onTestFinished(() => client.close());
  return client;
}

const names = (toolset: Awaited<ReturnType<typeof toolsetOf>>): string[] => [...toolset.byWireName.keys()];

describe('a connected client of the MCP SDK', () => {
  it('brings its tools, without its own validation of results', async () => {
    const server = scripted([tool('a', { outputSchema: { type: 'object' } })], {
      onCall: async () => ({ content: [], structuredContent: { b: 1 } }),
    });
    const client = await connect(newClient(), server);
    await client.listTools();
    const toolset = await toolsetOf(registryWith({ docs: client }));
    expect(names(toolset)).toEqual(['a']);
    expect(textOf(await callTool(toolNamed(toolset, 'a'), {}))).toBe('{"b":1}');
    expect(server.connects).toBe(1);
  });

  it('stays open when we close, and hears nothing of us any more', async () => {
    const server = scripted([tool('a')]);
    const client = await connect(newClient(), server);
    const before = client.transport?.onmessage;
    const registry = registryWith({ docs: client });
    await toolsetOf(registry);
    expect(client.transport?.onmessage).not.toBe(before);
    await registry.close();
    expect(client.transport?.onmessage).toBe(before);
    expect(await client.ping()).toEqual({});
  });

  it('keeps the handler its maker gave it for list_changed, and we list anew as well', async () => {
    const server = scripted([tool('a')]);
    const client = newClient();
    let heard = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (heard += 1));
    await connect(client, server);
    let time = 0;
    const registry = registryWith({ docs: { client } }, { now: () => time });
    await toolsetOf(registry);
    time = 3_600_000;
    await toolsetOf(registry);
    expect(server.lists).toBe(1);
    server.pages[''] = { tools: [tool('a'), tool('b')] };
    await server.current?.sendToolListChanged();
    await until(async () => names(await toolsetOf(registry)).length === 2);
    expect([heard, server.lists]).toEqual([1, 2]);
  });

  it('that is not connected loses only its tools, by name, and is back as soon as its maker reconnects it', async () => {
    const server = scripted([tool('a')]);
    const client = await connect(newClient(), server);
    const other = scripted([tool('other')]);
    // The clock stands still: nothing here waits for the pause after a failure.
    const registry = registryWith(
      { docs: client, other: { url: 'http://other/' } },
      { now: () => 0, open: serve({ other }) },
    );
    const toolset = await toolsetOf(registry);
    expect(names(toolset)).toEqual(['a', 'other']);
    await client.close();

    const without = await toolsetOf(registry);
    expect(names(without)).toEqual(['other']);
    expect(without.warnings).toEqual([expect.stringMatching(/"docs".*not connected/)]);
    const output = await callTool(toolNamed(toolset, 'a'), {});
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/MCP server "docs" \(a client that was handed in\).*not connected.*connect it/);

    await connect(client, server);
    expect(names(await toolsetOf(registry))).toEqual(['a', 'other']);
    expect(textOf(await callTool(toolNamed(toolset, 'a'), {}))).toBe('ok');
  });

  it('takes the common options along', async () => {
    const client = await connect(
      newClient(),
      scripted([tool('read'), tool('write')], {
        onCall: () => new Promise(() => {}),
      }),
    );
    const registry = registryWith({
      docs: { client, allowTools: ['read'], timeoutMs: 30 },
      off: { client, disabled: true, allowTools: ['none'] },
    });
    const toolset = await toolsetOf(registry);
    expect(names(toolset)).toContain('read');
    expect(textOf(await callTool(toolNamed(toolset, 'read'), {}))).toContain('30 ms (idle limit)');
  });
});

/** A client as an app may write it by itself. */
function handWritten(pages: Record<string, { tools: unknown[]; nextCursor?: string }>) {
  const seen: { cursors: (string | undefined)[]; options: McpClientRequestOptions[] } = { cursors: [], options: [] };
  const client: McpClientLike = {
    listTools: async (params) => {
      seen.cursors.push(params?.cursor);
      return pages[params?.cursor ?? ''] ?? { tools: [] };
    },
    callTool: async (params, _schema, options) => {
      if (options !== undefined) seen.options.push(options);
      return { content: [{ type: 'text', text: JSON.stringify(params) }] };
    },
  };
  return { client, seen };
}

describe('an object with listTools and callTool', () => {
  it('has its pages followed until a cursor comes back, and is called with names, arguments and options', async () => {
    const { client, seen } = handWritten({
      '': { tools: [tool('b')], nextCursor: 'x' },
      x: { tools: [tool('a')], nextCursor: 'x' },
    });
    const toolset = await toolsetOf(registryWith({ docs: { client, timeoutMs: 500, totalTimeoutMs: 2_000 } }));
    expect(names(toolset)).toEqual(['a', 'b']);
    expect(toolset.warnings).toEqual([expect.stringContaining('repeats itself')]);
    expect(seen.cursors).toEqual([undefined, 'x']);

    expect(textOf(await callTool(toolNamed(toolset, 'a'), { q: 1 }))).toBe('{"name":"a","arguments":{"q":1}}');
    expect(seen.options).toEqual([
      {
        signal: expect.any(AbortSignal),
        timeout: 2_000,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: 2_000,
        onprogress: expect.any(Function),
      },
    ]);
  });

  it('is listed once a minute, since it cannot tell changes', async () => {
    let time = 0;
    const { client, seen } = handWritten({ '': { tools: [tool('a')] } });
    const registry = registryWith({ docs: client }, { now: () => time });
    await toolsetOf(registry);
    time = 59_999;
    await toolsetOf(registry);
    expect(seen.cursors).toHaveLength(1);
    time = 60_000;
    await toolsetOf(registry);
    expect(seen.cursors).toHaveLength(2);
  });

  it('that breaks is a warning, and what it throws an output', async () => {
    const { client } = handWritten({ '': { tools: [tool('a')] } });
    const broken = { ...client, listTools: () => Promise.reject(new Error('no list today')) };
    const failing = { ...client, callTool: () => Promise.reject(new Error('out of order')) };
    const toolset = await toolsetOf(registryWith({ broken, failing }));
    expect(toolset.warnings).toEqual([expect.stringMatching(/MCP server "broken".*no list today/)]);
    expect(await callTool(toolNamed(toolset, 'a'), {})).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'The client of MCP server "failing" failed: out of order' }],
    });
  });
});

describe('a client that cannot say whether it is connected', () => {
  it('is looked at again after a failure, left out while it fails, and taken up after the pause', async () => {
    let time = 0;
    let isDown = false;
    const guard = async <T>(value: T): Promise<T> => {
      if (isDown) throw new Error('Attempted to send a request from a closed client');
      return value;
    };
    const client: McpClientLike = {
      listTools: () => guard({ tools: [tool('a')] }),
      callTool: () => guard({ content: [{ type: 'text', text: 'ok' }] }),
    };
    const registry = registryWith({ docs: client }, { now: () => time });
    const toolset = await toolsetOf(registry);
    isDown = true;
    expect(textOf(await callTool(toolNamed(toolset, 'a'), {}))).toMatch(/MCP server "docs".*closed client/);
    const without = await toolsetOf(registry);
    expect(without.tools).toEqual([]);
    expect(without.warnings).toEqual([expect.stringMatching(/MCP server "docs" \(a client.*closed client/)]);
    isDown = false;
    time = 1_000;
    expect(names(await toolsetOf(registry))).toEqual(['a']);
  });
});

describe('what a client of the app throws', () => {
  const failing = (error: Error, annotations: object) => {
    const calls: string[] = [];
    const client: McpClientLike = {
      listTools: async () => ({ tools: [tool('pay', { annotations })] }),
      callTool: async ({ name }) => {
        calls.push(name);
        throw error;
      },
    };
    return { client, calls };
  };

  it.each([
    'Charged, but the receipt printer is not initialized',
    'Charged, but the session expired',
    'Charged, but: fetch failed',
    'Not connected',
  ])('never makes a write tool run twice by its words: %s', async (words) => {
    const { client, calls } = failing(new Error(words), {});
    const output = await callTool(toolNamed(await toolsetOf(registryWith({ bank: client })), 'pay'), {});
    expect(textOf(output)).toBe(`The client of MCP server "bank" failed: ${words}`);
    expect(calls).toEqual(['pay']);
  });

  it.each([
    [{}, 1, /may or may not have taken effect/],
    [{ readOnlyHint: true }, 2, /bank.*fetch failed/],
  ])('repeats only what is safe where the network failed under it: %j', async (annotations, runs, words) => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const { client, calls } = failing(new TypeError('fetch failed', { cause }), annotations);
    const output = await callTool(toolNamed(await toolsetOf(registryWith({ bank: client })), 'pay'), {});
    expect(textOf(output)).toMatch(words);
    expect(calls).toHaveLength(runs);
  });
});

describe('a client that never answers a later listing', () => {
  function mute() {
    let lists = 0;
    const client: McpClientLike = {
      listTools: () => {
        lists += 1;
        return lists === 1 ? Promise.resolve({ tools: [tool('a')] }) : new Promise(() => {});
      },
      callTool: async () => ({}),
    };
    return { client, lists: () => lists };
  }

  it('keeps its earlier list, with a warning, and is not asked again for a while', async () => {
    let time = 0;
    const { client, lists } = mute();
    const registry = registryWith({ docs: client }, { now: () => time, connectTimeoutMs: 50 });
    await toolsetOf(registry);
    time = 60_000;
    const toolset = await toolsetOf(registry);
    expect(names(toolset)).toEqual(['a']);
    expect(toolset.warnings).toEqual([expect.stringMatching(/"docs".*no answer within 50 ms.*earlier list is used/)]);
    time = 89_999;
    expect((await toolsetOf(registry)).warnings).toEqual([]);
    expect(lists()).toBe(2);
    time = 150_000;
    expect((await toolsetOf(registry)).warnings).toHaveLength(1);
    expect(lists()).toBe(3);
  });

  it('does not keep anybody from closing', async () => {
    let time = 0;
    const { client, lists } = mute();
    const registry = registryWith({ docs: client }, { now: () => time, connectTimeoutMs: 0 });
    await toolsetOf(registry);
    time = 60_000;
    const toolset = toolsetOf(registry);
    await until(() => lists() === 2);
    await registry.close();
    await expect(toolset).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a client of @ai-sdk/mcp', () => {
  it('is listed and called in its own words', async () => {
    const seen: unknown[] = [];
    const client: McpClientLike = {
      listTools: async (request?: { params?: { cursor?: string } }) => {
        seen.push(request?.params);
        return request?.params?.cursor === undefined
          ? { tools: [tool('a', { annotations: { readOnlyHint: true } })], nextCursor: 'x' }
          : { tools: [tool('b')] };
      },
      toolsFromDefinitions: ({ tools }: { tools: unknown[] }) =>
        Object.fromEntries(
          (tools as { name: string }[]).map(({ name }) => [
            name,
            {
              execute: async (args: unknown, { abortSignal }: { abortSignal: unknown }) => ({
                content: [
                  { type: 'text', text: `${name} ${JSON.stringify(args)} ${abortSignal instanceof AbortSignal}` },
                ],
              }),
            },
          ]),
        ),
    };
    const toolset = await toolsetOf(registryWith({ docs: client }));
    expect(names(toolset)).toEqual(['a', 'b']);
    expect(toolNamed(toolset, 'a').tool.readOnly).toBe(true);
    expect(seen).toEqual([{}, { cursor: 'x' }]);
    expect(textOf(await callTool(toolNamed(toolset, 'b'), { q: 1 }))).toBe('b {"q":1} true');
  });

  it('of an older line, which has `tools` and takes `args`, is called with its arguments', async () => {
    const seen: unknown[] = [];
    // As 0.0.23 and 1.0.10 have it: methods of a class, `this` needed.
    class OldClient {
      readonly #answer = 'pong';
      async tools(): Promise<object> {
        return {};
      }
      async listTools({ params }: { params?: object } = {}): Promise<{ tools: unknown[] }> {
        seen.push(params);
        return { tools: [tool('ping')] };
      }
      async callTool(request: {
        name: string;
        args?: object;
        options?: { abortSignal?: AbortSignal };
      }): Promise<unknown> {
        seen.push([request.name, request.args, request.options?.abortSignal instanceof AbortSignal]);
        return { content: [{ type: 'text', text: this.#answer }] };
      }
    }
    const toolset = await toolsetOf(registryWith({ docs: new OldClient() }));
    expect(textOf(await callTool(toolNamed(toolset, 'ping'), { q: 1 }))).toBe('pong');
    await callTool(toolNamed(toolset, 'ping'), {});
    expect(seen).toEqual([{}, ['ping', { q: 1 }, true], ['ping', {}, true]]);
  });
});

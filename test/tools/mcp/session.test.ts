import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry, type ToolRegistryOptions } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { OpenTransport } from '../../../src/tools/mcp/connect/open-transport.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool, type OnCall, type ScriptedServer } from '../support/in-memory-server.js';
import { until } from '../support/servers.js';

function registryOver(servers: Record<string, ScriptedServer>, options: ToolRegistryOptions = {}): ToolRegistry {
  const mcpServers = Object.fromEntries(Object.keys(servers).map((key) => [key, { url: `http://${key}/mcp` }]));
  const registry = createToolRegistry({ mcpServers, openTransport: serve(servers), ...options });
  onTestFinished(() => registry.close());
  return registry;
}

/** A transport behind which nobody ever answers. */
function silent(onClose?: () => void): OpenTransport {
  return async () => {
    const transport: Transport = {
      start: async () => {},
      send: async () => {},
      close: async () => {
        onClose?.();
        transport.onclose?.();
      },
    };
    return { transport };
  };
}

const names = async (registry: ToolRegistry): Promise<string[]> => [...(await toolsetOf(registry)).byWireName.keys()];

describe('listing', () => {
  it('two concurrent offers connect once and list once; later offers ask nothing', async () => {
    const server = scripted([tool('a')]);
    const registry = registryOver({ one: server });
    const [first, second] = await Promise.all([toolsetOf(registry), toolsetOf(registry)]);
    await toolsetOf(registry);
    expect(JSON.stringify(first.tools.map((t) => t.declaration))).toBe(
      JSON.stringify(second.tools.map((t) => t.declaration)),
    );
    expect([server.connects, server.lists]).toEqual([1, 1]);
  });

  it('follows cursors, drops repeated names, and stops at a cursor that comes back', async () => {
    const server = scripted([], {
      pages: {
        '': { tools: [tool('c'), tool('a')], nextCursor: 'x' },
        x: { tools: [tool('b'), tool('a')], nextCursor: 'y' },
        y: { tools: [tool('d')], nextCursor: 'x' },
      },
    });
    const registry = registryOver({ one: server });
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['a', 'b', 'c', 'd']);
    expect(toolset.warnings).toEqual([expect.stringContaining('repeats itself')]);
    expect(server.lists).toBe(3);
  });

  it('drops the one tool whose schema makes no sense and keeps the others', async () => {
    const server = scripted([tool('good'), tool('bad', { inputSchema: { type: 'string' } }), { inputSchema: {} }]);
    const toolset = await toolsetOf(registryOver({ one: server }));
    expect([...toolset.byWireName.keys()]).toEqual(['good']);
    expect(toolset.warnings).toEqual([
      expect.stringContaining('a tool without a name is left out'),
      expect.stringContaining('"bad" of "one" is left out: its input schema is of type "string"'),
    ]);
  });

  it('offers tools called constructor and __proto__ like any other', async () => {
    const registry = registryOver({ one: scripted([tool('constructor'), tool('__proto__')]) });
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['__proto__', 'constructor']);
    expect(textOf(await callTool(toolNamed(toolset, '__proto__'), {}))).toBe('ok');
  });

  it('asks a server without the tools capability for nothing', async () => {
    const server = scripted([tool('a')], { capabilities: { prompts: {} } });
    expect((await toolsetOf(registryOver({ one: server }))).tools).toEqual([]);
    expect(server.lists).toBe(0);
  });

  it('lists again after list_changed, once for all who ask', async () => {
    const server = scripted([tool('a')]);
    const registry = registryOver({ one: server });
    expect(await names(registry)).toEqual(['a']);
    server.pages[''] = { tools: [tool('a'), tool('b')] };
    await server.current?.sendToolListChanged();
    await until(async () => (await Promise.all([names(registry), names(registry)])).every((list) => list.length === 2));
    expect([server.connects, server.lists]).toEqual([1, 2]);
  });

  it('keeps the bytes of the tools the same when the server shuffles its list', async () => {
    const make = (list: object[]): ToolRegistry => registryOver({ one: scripted(list) });
    const list = [tool('b', { description: 'B' }), tool('a'), tool('c')];
    const bytes = async (registry: ToolRegistry): Promise<string> =>
      JSON.stringify((await toolsetOf(registry)).tools.map((t) => t.declaration));
    expect(await bytes(make(list))).toBe(await bytes(make(list.toReversed())));
  });
});

describe('a server that cannot be reached', () => {
  it('disables only its own tools, says which, what and why, and is left alone for a while', async () => {
    let time = 0;
    const { events, observer } = recorder();
    const servers: Record<string, ScriptedServer> = { alive: scripted([tool('a')]) };
    const registry = createToolRegistry({
      mcpServers: {
        alive: { url: 'http://alive/' },
        dead: { url: 'http://user:hunter22@dead/mcp?token=t0psecret', headers: { Authorization: 'Bearer abcdef123' } },
      },
      openTransport: serve(servers),
      now: () => time,
      observer,
    });
    onTestFinished(() => registry.close());
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['a']);
    expect(toolset.warnings).toHaveLength(1);
    const warning = toolset.warnings[0] ?? '';
    expect(warning).toMatch(
      /^MCP server "dead" \(URL http:\/\/dead\/mcp\?token=.*nobody at dead.*Check that the server is running/,
    );
    expect(warning).not.toMatch(/hunter22|t0psecret|abcdef123/);
    const errors = (): number => events.filter((event) => event.type === 'mcp-error').length;

    time += 999;
    expect((await toolsetOf(registry)).warnings).toEqual([warning]);
    expect(errors()).toBe(1);
    for (const [pause, count] of [
      [1, 2],
      [1_999, 2],
      [1, 3],
      [3_999, 3],
      [1, 4],
    ] as const) {
      time += pause;
      await toolsetOf(registry);
      expect(errors()).toBe(count);
    }
    servers['dead'] = scripted([tool('late')]);
    time += 30_000;
    const recovered = await toolsetOf(registry);
    expect([...recovered.byWireName.keys()]).toEqual(['a', 'late']);
    expect(recovered.warnings).toEqual([]);
  });

  it('closes the connection over which it could not list', async () => {
    const server = scripted([], { pages: {} });
    const registry = registryOver({ one: server });
    expect((await toolsetOf(registry)).warnings).toEqual([expect.stringContaining('no such page')]);
    expect(server.current?.transport).toBeUndefined();
  });

  it('does not rename the tools of others while a server that shares a name is away', async () => {
    const servers: Record<string, ScriptedServer> = { one: scripted([tool('echo')]), two: scripted([tool('echo')]) };
    const registry = registryOver(servers);
    expect(await names(registry)).toEqual(['one__echo', 'two__echo']);
    const gone = servers['two']?.current;
    delete servers['two'];
    await gone?.close();
    await until(async () => (await names(registry)).length === 1);
    expect(await names(registry)).toEqual(['one__echo']);
  });

  it('gives up a connect after its limit and closes what it had begun', async () => {
    let closed = false;
    const registry = createToolRegistry({
      mcpServers: { silent: { url: 'http://silent/' } },
      connectTimeoutMs: 50,
      openTransport: silent(() => (closed = true)),
    });
    onTestFinished(() => registry.close());
    expect((await toolsetOf(registry)).warnings).toEqual([
      expect.stringMatching(/"silent".*(no answer within 50 ms|Request timed out)/),
    ]);
    expect(closed).toBe(true);
  });

  it('an aborted listing ends at once and leaves the shared connect to the others', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const server = scripted([tool('a')]);
    const inner = serve({ one: server });
    const registry = createToolRegistry({
      mcpServers: { one: { url: 'http://one/' } },
      openTransport: async (...args) => {
        await gate;
        return inner(...args);
      },
    });
    onTestFinished(() => registry.close());
    const abort = new AbortController();
    const impatient = toolsetOf(registry, abort.signal);
    const patient = toolsetOf(registry);
    abort.abort();
    await expect(impatient).rejects.toMatchObject({ name: 'AbortError' });
    open();
    expect((await patient).tools).toHaveLength(1);
    expect(server.connects).toBe(1);
  });
});

describe('a connection that is lost', () => {
  it('is opened anew by the next call', async () => {
    const server = scripted([tool('a')]);
    const registry = registryOver({ one: server });
    const toolset = await toolsetOf(registry);
    await server.current?.close();
    expect(textOf(await callTool(toolNamed(toolset, 'a'), {}))).toBe('ok');
    expect(server.connects).toBe(2);
  });

  it.each([
    ['a tool that may have acted is not run twice', {}, ['act'], true],
    [
      'a read-only tool is asked again over a new connection',
      { annotations: { readOnlyHint: true } },
      ['act', 'act'],
      false,
    ],
    [
      'an idempotent tool is asked again over a new connection',
      { annotations: { idempotentHint: true } },
      ['act', 'act'],
      false,
    ],
  ])('%s', async (_name, rest, calls, isError) => {
    const server = scripted([tool('act', rest)]);
    server.onCall = async () => {
      if (server.connects > 1) return undefined;
      await server.current?.close();
      return new Promise(() => {});
    };
    const output = await callTool(toolNamed(await toolsetOf(registryOver({ one: server })), 'act'), {});
    expect(server.calls).toEqual(calls);
    expect(output.isError).toBe(isError);
    if (isError) expect(textOf(output)).toContain('may or may not have taken effect');
  });

  it('parallel calls share one reconnect', async () => {
    const server = scripted([tool('a', { annotations: { readOnlyHint: true } })]);
    const registry = registryOver({ one: server });
    const toolset = await toolsetOf(registry);
    await server.current?.close();
    const outputs = await Promise.all([1, 2, 3].map(() => callTool(toolNamed(toolset, 'a'), {})));
    expect(outputs.map(textOf)).toEqual(['ok', 'ok', 'ok']);
    expect(server.connects).toBe(2);
  });
});

describe('calls', () => {
  const progressing =
    (steps: number, everyMs: number): OnCall =>
    async (_name, _args, context) => {
      for (let step = 1; step <= steps && !context.signal.aborted; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        await context.sendNotification({
          method: 'notifications/progress',
          params: { progressToken: tokenOf(context), progress: step },
        } as never);
      }
      return { content: [{ type: 'text', text: 'done' }] };
    };
  const tokenOf = (context: unknown): unknown =>
    (context as { _meta?: { progressToken?: unknown } })._meta?.progressToken;

  it('progress keeps a slow tool alive past its idle limit, and is reported', async () => {
    const { events, observer } = recorder();
    const toolset = await toolsetOf(registryOver({ one: scripted([tool('slow')], { onCall: progressing(6, 60) }) }));
    const output = await callTool(toolNamed(toolset, 'slow'), {}, { toolTimeoutMs: 250, observer });
    expect(textOf(output)).toBe('done');
    expect(events.map((event) => event.type)).toEqual([
      'tool-start',
      ...Array<string>(6).fill('tool-progress'),
      'tool-end',
    ]);
  });

  it('silence ends at the idle limit, which the text names; the server is told', async () => {
    let cancelled = false;
    const server = scripted([tool('mute')], {
      onCall: async (_name, _args, context) => {
        context.signal.addEventListener('abort', () => (cancelled = true));
        return new Promise(() => {});
      },
    });
    const output = await callTool(
      toolNamed(await toolsetOf(registryOver({ one: server })), 'mute'),
      {},
      { toolTimeoutMs: 60 },
    );
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/60 ms \(idle limit\)/);
    await until(() => cancelled);
  });

  it('endless progress ends at the total limit, which the text names', async () => {
    const toolset = await toolsetOf(
      registryOver({ one: scripted([tool('busy')], { onCall: progressing(1_000, 10) }) }),
    );
    const output = await callTool(toolNamed(toolset, 'busy'), {}, { toolTimeoutMs: 50 });
    expect(textOf(output)).toMatch(/500 ms in total \(total limit\)/);
  });

  it('a server timeout wins over the default', async () => {
    const registry = createToolRegistry({
      mcpServers: { one: { url: 'http://one/', timeoutMs: 40 } },
      openTransport: serve({ one: scripted([tool('mute')], { onCall: () => new Promise(() => {}) }) }),
    });
    onTestFinished(() => registry.close());
    const output = await callTool(toolNamed(await toolsetOf(registry), 'mute'), {}, { toolTimeoutMs: 60_000 });
    expect(textOf(output)).toContain('40 ms (idle limit)');
  });

  it('a JSON-RPC error is text for the model', async () => {
    const onCall = async (): Promise<never> => {
      throw Object.assign(new Error('quota of the tool is used up'), { code: -32050 });
    };
    const output = await callTool(
      toolNamed(await toolsetOf(registryOver({ one: scripted([tool('a')], { onCall }) })), 'a'),
      {},
    );
    expect(output).toMatchObject({ isError: true });
    expect(textOf(output)).toContain('quota of the tool is used up');
  });

  it('an abort rejects at once and the server receives notifications/cancelled', async () => {
    let cancelled = false;
    const abort = new AbortController();
    const server = scripted([tool('mute')], {
      onCall: async (_name, _args, context) => {
        context.signal.addEventListener('abort', () => (cancelled = true));
        abort.abort();
        return new Promise(() => {});
      },
    });
    const toolset = await toolsetOf(registryOver({ one: server }));
    await expect(callTool(toolNamed(toolset, 'mute'), {}, { signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await until(() => cancelled);
  });

  it('a source that is called directly rejects with the reason of its signal', async () => {
    const abort = new AbortController();
    const reason = new Error('user left');
    const server = scripted([tool('mute')], { onCall: () => (abort.abort(reason), new Promise(() => {})) });
    const { source } = toolNamed(await toolsetOf(registryOver({ one: server })), 'mute');
    await expect(source.execute('mute', {}, { callId: 'direct', signal: abort.signal })).rejects.toBe(reason);
  });

  it('an abort after the call ended sends nothing', async () => {
    const abort = new AbortController();
    const server = scripted([tool('a')]);
    const toolset = await toolsetOf(registryOver({ one: server }));
    const received: unknown[] = [];
    const transport = server.current?.transport;
    const onmessage = transport?.onmessage;
    if (transport !== undefined) {
      transport.onmessage = (message, extra) => {
        received.push(message);
        onmessage?.(message, extra);
      };
    }
    const { source } = toolNamed(toolset, 'a');
    await callTool(toolNamed(toolset, 'a'), {}, { signal: abort.signal });
    await source.execute('a', {}, { callId: 'direct', signal: abort.signal });
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toHaveLength(2);
  });

  it('progress is reported in the asynchronous context of the call it belongs to', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: [string, string | undefined][] = [];
    const registry = registryOver({ one: scripted([tool('slow')], { onCall: progressing(2, 5) }) });
    const call = (name: string): Promise<unknown> =>
      context.run(name, async () =>
        callTool(
          toolNamed(await toolsetOf(registry), 'slow'),
          {},
          {
            callId: name,
            observer: (event) => void ('callId' in event && seen.push([event.callId, context.getStore()])),
          },
        ),
      );
    await Promise.all([call('first'), call('second')]);
    expect(seen.length).toBe(8);
    expect(seen.every(([callId, store]) => callId === store)).toBe(true);
  });
});

describe('closing', () => {
  it('is final and may be asked for twice', async () => {
    const server = scripted([tool('a')]);
    const registry = registryOver({ one: server });
    const toolset = await toolsetOf(registry);
    await Promise.all([registry.close(), registry.close()]);
    await expect(toolsetOf(registry)).rejects.toMatchObject({ code: 'closed' });
    const output = await callTool(toolNamed(toolset, 'a'), {});
    expect(output).toMatchObject({ isError: true });
    expect(server.connects).toBe(1);
  });

  it('rejects a toolset that is still connecting', async () => {
    const registry = createToolRegistry({
      mcpServers: { one: { url: 'http://one/' } },
      openTransport: silent(),
    });
    const toolset = toolsetOf(registry);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await registry.close();
    await expect(toolset).rejects.toMatchObject({ code: 'closed' });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { type AppDeeds, AppHost } from '../../page/lib/mcp-apps/app-host.js';
import { appOf, appResultOf } from '../../page/lib/mcp-apps/app-of.js';
import type { ToolPart } from '../../page/lib/parts.js';

function hostWith(deeds: Partial<AppDeeds> = {}) {
  const sent: { readonly id?: unknown; readonly [key: string]: unknown }[] = [];
  let now = 0;
  const all = {
    send: (message: object) => void sent.push(message as never),
    context: () => ({ theme: 'dark' }),
    onReady: vi.fn(),
    onHeight: vi.fn(),
    callTool: vi.fn(async () => ({ content: [] })),
    readResource: vi.fn(async () => ({ contents: [] })),
    openLink: vi.fn(async () => true),
    putText: vi.fn(() => true),
    onFlood: vi.fn(),
    ...deeds,
  };
  const host = new AppHost(all, () => now);
  const ask = async (method: string, params: unknown = {}, id: unknown = 1) => {
    host.receive({ jsonrpc: '2.0', id, method, params });
    await new Promise((resolve) => setTimeout(resolve));
    return sent.findLast((message) => message.id === id);
  };
  const pass = (ms: number): void => void (now += ms);
  return { host, sent, ask, pass, deeds: all };
}

describe('an app', () => {
  it('is told of the page, and of nothing before it listens', async () => {
    const { host, sent, ask, deeds } = hostWith();
    host.notify('ui/notifications/tool-input', {});
    expect(sent).toEqual([]);
    expect(await ask('ui/initialize', { protocolVersion: '2026-01-26' })).toMatchObject({
      result: { protocolVersion: '2026-01-26', hostContext: { theme: 'dark' }, hostCapabilities: { serverTools: {} } },
    });
    host.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    host.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    expect(deeds.onReady).toHaveBeenCalledOnce();
    host.notify('ui/notifications/tool-input', { arguments: {} });
    expect(sent.at(-1)).toMatchObject({ method: 'ui/notifications/tool-input' });
  });

  it.each([
    [null],
    ['ping'],
    [{ method: 'ping', id: 1 }],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }],
    [{ jsonrpc: '2.0', id: 1, method: 7 }],
    [{ jsonrpc: '2.0', id: 1, result: {} }],
  ])('is not answered to what is no request: %j', async (data) => {
    const { host, sent } = hostWith();
    host.receive(data);
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'ui/update-model-context', 'sampling/createMessage', 'tools/list'])(
    'has no method %s',
    async (method) => {
      const { ask } = hostWith();
      expect(await ask(method)).toMatchObject({ error: { code: -32_601 } });
    },
  );

  it.each([
    ['tools/call', {}],
    ['tools/call', { name: 'x', arguments: [] }],
    ['tools/call', { name: '' }],
    ['resources/read', { uri: 7 }],
    ['ui/open-link', {}],
    ['ui/message', { content: { type: 'image', data: '' } }],
    ['ui/message', { role: 'assistant', content: { type: 'text', text: 'x' } }],
    ['ui/message', { content: { type: 'text', text: 'x'.repeat(10_001) } }],
  ])('does nothing by params that do not fit: %s %j', async (method, params) => {
    const { ask, deeds } = hostWith();
    expect(await ask(method, params)).toMatchObject({ error: { code: -32_602 } });
    for (const deed of [deeds.callTool, deeds.readResource, deeds.openLink, deeds.putText])
      expect(deed).not.toHaveBeenCalled();
  });

  it('names no server of its own: the name and the input of its call, and nothing beside them, go on', async () => {
    const { ask, deeds } = hostWith();
    await ask('tools/call', { name: 'add', arguments: { what: 1 }, server: 'other' });
    expect(deeds.callTool).toHaveBeenCalledWith('add', { what: 1 });
  });

  it('makes one call after the other, and has no more than eight waiting', async () => {
    const ends: (() => void)[] = [];
    const callTool = vi.fn(() => new Promise<object>((resolve) => ends.push(() => resolve({}))));
    const { host, sent, deeds } = hostWith({ callTool });
    for (let id = 1; id <= 9; id += 1) {
      host.receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `call ${id}` } });
    }
    await new Promise((resolve) => setTimeout(resolve));
    expect(deeds.callTool).toHaveBeenCalledTimes(1);
    expect(sent).toEqual([
      { jsonrpc: '2.0', id: 9, error: { code: -32_000, message: 'Too many requests wait already.' } },
    ]);
    ends[0]?.();
    await new Promise((resolve) => setTimeout(resolve));
    expect(deeds.callTool).toHaveBeenCalledTimes(2);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'https://bank.example@evil.example/', 'no address'])(
    'opens no page at %s',
    async (url) => {
      const { ask, deeds } = hostWith();
      expect(await ask('ui/open-link', { url })).toMatchObject({ error: { code: -32_000 } });
      expect(deeds.openLink).not.toHaveBeenCalled();
    },
  );

  it('hears that a person did not open a page, and that a text was not taken', async () => {
    const { ask } = hostWith({ openLink: async () => false, putText: () => false });
    expect(await ask('ui/open-link', { url: 'https://x.example/' })).toMatchObject({ error: { code: -32_000 } });
    expect(await ask('ui/message', { content: { type: 'text', text: 'x' } })).toMatchObject({ error: {} });
  });

  it('may tell its size as often as a screen is drawn, and is ended by more, with nothing done after', async () => {
    const { host, sent, pass, ask, deeds } = hostWith();
    const tell = (): void =>
      host.receive({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 100 } });
    for (let frame = 0; frame < 1_200; frame += 1) {
      tell();
      pass(1_000 / 60);
    }
    expect(deeds.onFlood).not.toHaveBeenCalled();
    expect(deeds.onHeight).toHaveBeenCalledTimes(1_200);
    for (let at = 0; at < 400; at += 1) tell();
    expect(deeds.onFlood).toHaveBeenCalledOnce();
    await ask('tools/call', { name: 'late' });
    expect(deeds.callTool).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });

  it('is ended by a message that is too long', () => {
    const { host, deeds } = hostWith();
    host.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x'.repeat(1_000_001) } });
    expect(deeds.onFlood).toHaveBeenCalledOnce();
  });
});

describe('the app of a call', () => {
  const facts = { server: 'shop', name: 'show', ui: { resourceUri: 'ui://shop/cart' } };
  const part = (more: object): ToolPart => ({
    type: 'dynamic-tool',
    toolName: 'show',
    toolCallId: 'c',
    state: 'output-available',
    input: {},
    output: {},
    ...more,
  });
  const app = { server: 'shop', tool: 'show', uri: 'ui://shop/cart' };

  it('is named with the call, whoever ran it', () => {
    expect(appOf(part({ toolMetadata: facts }))).toEqual(app);
    expect(appOf(part({ callProviderMetadata: { 'responses-loop': { tool: facts } } }))).toEqual(app);
  });

  it.each([
    [{}],
    [{ toolMetadata: { ...facts, ui: { resourceUri: 'https://evil.example/' } } }],
    [{ toolMetadata: { ...facts, ui: {} } }],
    [{ toolMetadata: facts, preliminary: true }],
    [{ toolMetadata: facts, output: { isError: true } }],
    [{ toolMetadata: facts, state: 'input-available' }],
  ])('is none of %j', (more) => {
    expect(appOf(part(more))).toBe(undefined);
  });

  it('gets the result in the form of MCP', () => {
    const content = [{ type: 'text', text: 'a duck' }];
    const kept = { 'responses-loop': { output: { content } } };
    expect(appResultOf(part({ output: { cart: 1 }, resultProviderMetadata: kept }))).toEqual({
      content,
      structuredContent: { cart: 1 },
    });
    expect(appResultOf(part({ output: 'a duck' }))).toEqual({ content });
    expect(appResultOf(part({ output: { content } }))).toEqual({ content });
    expect(appResultOf(part({ output: { cart: 1 } }))).toEqual({
      content: [{ type: 'text', text: '{"cart":1}' }],
      structuredContent: { cart: 1 },
    });
  });
});

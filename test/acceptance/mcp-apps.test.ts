import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObserverEvent, ResponsesProviderSettings, ToolApprovalRequest } from 'responses-loop';
import { type Version, VERSIONS } from './support/any-version.js';

const program = fileURLToPath(new URL('../../examples/basics/support/cart-server.mjs', import.meta.url));
const shop = { command: process.execPath, args: [program], apps: true } as const;
const uri = 'ui://shop/cart';
const add = { server: 'shop', tool: 'add_to_cart', input: { what: 'a pond' } };

function providerOf(settings: ResponsesProviderSettings = {}, version: Version = 'v2') {
  const provider = VERSIONS[version]({
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'none',
    mcpServers: { shop },
    ...settings,
  });
  onTestFinished(() => provider.close());
  return provider;
}

describe.each(['v2', 'v3', 'v4'] as const)('an MCP App under %s', (version) => {
  it('brings its page, with what it may reach', async () => {
    const provider = providerOf({}, version);
    expect((await provider.tools())['show_cart']?.metadata.ui).toEqual({ resourceUri: uri });
    expect(await provider.readAppResource({ server: 'shop', uri })).toEqual({
      uri,
      mimeType: 'text/html;profile=mcp-app',
      html: '<!doctype html><title>Cart</title><ul id="cart"></ul>',
      csp: { resourceDomains: ['https://cdn.shop.example'] },
      permissions: {},
      prefersBorder: true,
      warnings: [],
    });
  });

  it('calls tools of its server that the model does not have, and gets the result as the server sent it', async () => {
    const provider = providerOf({}, version);
    expect(Object.keys(await provider.tools())).toEqual(['empty_cart', 'show_cart']);
    expect(await provider.callAppTool(add)).toEqual({
      content: [{ type: 'text', text: 'In the cart: a duck, a pond' }],
      structuredContent: { cart: ['a duck', 'a pond'] },
      _meta: { 'shop.example/count': 2 },
    });
    expect(await provider.callAppTool({ server: 'shop', tool: 'show_cart' })).toMatchObject({
      structuredContent: { cart: ['a duck', 'a pond'] },
    });
  });
});

describe('a call of a page', () => {
  it('is asked about as one of the model is, whole, under the name of the tool at its server', async () => {
    const asked: ToolApprovalRequest[] = [];
    const provider = providerOf({
      approve: (call) => {
        asked.push(call);
        return call.originalName === 'show_cart' || { approved: false, reason: 'no money' };
      },
    });
    const denied = await provider.callAppTool(add);
    expect(denied).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('"shop__add_to_cart" was denied') }],
    });
    await provider.callAppTool({ server: 'shop', tool: 'show_cart' });
    expect(asked).toMatchObject([
      {
        tool: 'shop__add_to_cart',
        source: 'shop',
        originalName: 'add_to_cart',
        description: 'Adds to the cart.',
        arguments: { what: 'a pond' },
        readOnly: false,
        destructive: true,
      },
      { tool: 'show_cart', source: 'shop', originalName: 'show_cart', readOnly: true },
    ]);
    expect(new Set(asked.map(({ callId }) => callId)).size).toBe(2);
  });

  it('is denied if a user would have to answer in the stream of a call', async () => {
    const provider = providerOf({ approve: () => 'ask' });
    expect(await provider.callAppTool(add)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no way to ask one') }],
    });
  });

  it('runs with the arguments that the app has put in place of those of the page', async () => {
    const provider = providerOf({ approve: () => ({ approved: true, arguments: { what: 'a stone' } }) });
    expect((await provider.callAppTool(add)).structuredContent).toEqual({ cart: ['a duck', 'a stone'] });
  });

  it.each([
    ['the server keeps from pages', { tool: 'empty_cart' }],
    ['the server does not have', { tool: 'sell_cart' }],
    ['is named like a member of every object', { tool: 'constructor' }],
  ])('of a tool that %s is refused', async (_name, wanted) => {
    const asked: unknown[] = [];
    const provider = providerOf({ approve: (call) => asked.push(call) > 0 });
    await expect(provider.callAppTool({ ...add, ...wanted })).rejects.toMatchObject({
      code: 'mcp-app',
      message: `MCP server "shop" has no tool "${wanted.tool}" that its pages may call.`,
    });
    expect(asked).toEqual([]);
  });

  it('of a tool of another server, or of one that the settings leave out, is refused', async () => {
    const provider = providerOf({
      mcpServers: { shop: { ...shop, denyTools: ['add_*'] }, other: { command: process.execPath, args: [program] } },
    });
    await expect(provider.callAppTool(add)).rejects.toMatchObject({ code: 'mcp-app' });
    await expect(provider.callAppTool({ ...add, server: 'other' })).rejects.toMatchObject({
      code: 'invalid-options',
      message: 'MCP server "other" is not open to MCP Apps: set `apps: true` in its entry.',
    });
    await expect(provider.callAppTool({ ...add, server: 'none' })).rejects.toThrow('Known servers: shop, other.');
  });

  it('is told of by the events of a tool, outside of the calls of the model', async () => {
    const events: ObserverEvent[] = [];
    await providerOf({ onEvent: (event) => void events.push(event) }).callAppTool(add);
    const told = events.filter(({ type }) => type.startsWith('tool-'));
    expect(told).toMatchObject([
      { type: 'tool-start', callNumber: 0, tool: 'shop__add_to_cart', source: 'shop', arguments: { what: 'a pond' } },
      { type: 'tool-end', callNumber: 0, isError: false, output: expect.stringContaining('a duck, a pond') },
    ]);
  });

  it('gives its page nothing that `redactToolOutput` takes out', async () => {
    const provider = providerOf({
      redactToolOutput: (output) => ({
        isError: output.isError,
        content: output.content.map((part) =>
          part.type === 'text' ? { ...part, text: part.text.replaceAll('duck', '[bird]') } : part,
        ),
      }),
    });
    const result = await provider.callAppTool(add);
    expect(JSON.stringify(result)).not.toContain('duck');
    expect(result.content[0]).toEqual({ type: 'text', text: 'In the cart: a [bird], a pond' });
    expect(result).not.toHaveProperty('_meta');
  });

  it('gives its page an output that is too long as the model would get it', async () => {
    const provider = providerOf({ mcpServers: { shop: { ...shop, maxOutputChars: 20 } } });
    const result = await provider.callAppTool(add);
    expect(JSON.stringify(result.content)).toContain('characters left out');
    expect(result).not.toHaveProperty('_meta');
  });

  it('fails with a sentence for its page if the arguments are none', async () => {
    const provider = providerOf();
    expect(await provider.callAppTool({ ...add, input: [1] })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('must be a JSON object') }],
    });
    let deep: unknown = {};
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    await expect(provider.callAppTool({ ...add, input: deep })).rejects.toMatchObject({ code: 'invalid-options' });
    expect(await provider.callAppTool({ ...add, input: { what: 1 } })).toMatchObject({ isError: true });
  });

  it('ends with its signal, and with the provider', async () => {
    const controller = new AbortController();
    const provider = providerOf({ approve: () => new Promise(() => controller.abort(new Error('the frame is gone'))) });
    await expect(provider.callAppTool({ ...add, abortSignal: controller.signal })).rejects.toThrow('the frame is gone');
    const closing = providerOf({ approve: () => new Promise(() => void closing.close()) });
    await expect(closing.callAppTool(add)).rejects.toMatchObject({ code: 'closed' });
    await expect(closing.readAppResource({ server: 'shop', uri })).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a page that cannot be had', () => {
  it.each([
    ['of another address', 'file:///etc/passwd', 'invalid-options', 'addresses that begin with ui://'],
    ['that the server does not have', 'ui://shop/none', 'mcp-app', 'could not be read: '],
    ['without an address', undefined as never, 'invalid-options', 'readAppResource({ server, uri })'],
  ])('%s is an error', async (_name, wanted, code, message) => {
    const reading = providerOf().readAppResource({ server: 'shop', uri: wanted });
    await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('is an error of the limit if it is too long, and one of the options if the server is not open to pages', async () => {
    const provider = providerOf({ limits: { pageChars: 52 } });
    await expect(provider.readAppResource({ server: 'shop', uri })).rejects.toMatchObject({
      code: 'limit',
      limit: { name: 'limits.pageChars', value: 52 },
    });
    const { apps: _apps, ...closed } = shop;
    await expect(
      providerOf({ mcpServers: { shop: closed } }).readAppResource({ server: 'shop', uri }),
    ).rejects.toMatchObject({ code: 'invalid-options' });
  });
});

import { describe, expect, it } from 'vitest';
import { stubOf } from '../../../../src/provider/tool-stubs.js';
import { factsOf } from '../../../../src/tools/tool-facts.js';
import { loadModernSdk } from '../../../../src/tools/mcp/modern/load-sdk.js';
import { callTool, textOf, toolNamed, toolsetOf } from '../../support/call.js';
import { scripted, serve, tool } from '../../support/in-memory-server.js';
import { registryWith, sourceOf } from '../helpers.js';
import { overHttp } from '../modern/run-server.js';

const withUi = (name: string, ui: unknown) => tool(name, { _meta: { ui } });

async function toolsOf(...tools: ReturnType<typeof tool>[]) {
  return toolsetOf(registryWith({ shop: { url: 'http://shop/' } }, { open: serve({ shop: scripted(tools) }) }));
}

describe('tools of MCP Apps', () => {
  it('that are for the page alone are not offered to the model, and no warning tells of them', async () => {
    const toolset = await toolsOf(
      withUi('show', { resourceUri: 'ui://shop/cart', visibility: ['model', 'app'] }),
      withUi('add', { visibility: ['app'] }),
      withUi('none', { visibility: [] }),
      withUi('odd', { visibility: 'app' }),
      tool('plain'),
    );
    expect([...toolset.byWireName.keys()]).toEqual(['odd', 'plain', 'show']);
    expect(toolset.warnings).toEqual([]);
  });

  it('bring their page to stubs and parts, if it is of a size that fits there', async () => {
    const ui = { resourceUri: 'ui://shop/cart', csp: { connectDomains: ['https://shop.example'] } };
    const toolset = await toolsOf(
      withUi('show', ui),
      withUi('huge', { resourceUri: 'x'.repeat(5_000) }),
      tool('plain'),
    );
    const show = toolNamed(toolset, 'show');
    expect(stubOf(show).metadata).toEqual({ server: 'shop', name: 'show', ui });
    expect(factsOf(show.source, show.tool)).toEqual({ server: 'shop', name: 'show', ui });
    for (const name of ['huge', 'plain'])
      expect(stubOf(toolNamed(toolset, name)).metadata).toEqual({ server: 'shop', name });
  });
});

describe('the extension of MCP Apps', () => {
  const EXTENSION = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, EXTENSION],
  ])('is announced if the app asks for it (apps: %s)', async (apps, extensions) => {
    const shop = scripted([tool('plain')]);
    await toolsetOf(registryWith({ shop: { url: 'http://shop/', apps } }, { open: serve({ shop }) }));
    expect(shop.current?.getClientCapabilities()?.['extensions']).toEqual(extensions);
  });

  it.each(['reject', 'serve'] as const)('is announced over HTTP (%s: revision 2026-07-28)', async (legacy) => {
    const server = await overHttp(legacy);
    await toolsetOf(registryWith({ s: { url: server.url, apps: true } }, { loadModern: loadModernSdk }));
    const listing = (await server.seen()).find(({ body }) => body?.method === 'tools/list');
    expect(JSON.stringify(listing?.body)).toContain(JSON.stringify({ extensions: EXTENSION }));
  });
});

describe('a tool that a server keeps for its pages', () => {
  it('does not run for a model to which it was offered before', async () => {
    const shop = scripted([tool('show')]);
    const toolset = await toolsetOf(registryWith({ shop: { url: 'http://shop/' } }, { open: serve({ shop }) }));
    shop.pages[''] = { tools: [withUi('show', { visibility: ['app'] })] };
    await shop.current?.sendToolListChanged();
    const output = await callTool(toolNamed(toolset, 'show'), {});
    expect(textOf(output)).toContain('its server changed it (who may call it)');
    expect(shop.calls).toEqual([]);
  });

  it('stays away from the model if the facts about its page are too long to be shown', async () => {
    const toolset = await toolsOf(withUi('add', { visibility: ['app'], note: 'x'.repeat(5_000) }));
    expect(toolset.tools).toEqual([]);
  });

  it.each([
    [undefined, true],
    [{}, true],
    [{ visibility: ['model', 'app'] }, true],
    [{ visibility: ['app'] }, true],
    [{ visibility: ['model'] }, false],
    [{ visibility: [] }, false],
    [{ visibility: 'app' }, false],
    [{ visibility: ['apps'] }, false],
    [{ visibility: null }, false],
  ])('is callable by pages with _meta.ui %j: %s', async (ui, isCallable) => {
    const open = serve({ shop: scripted([withUi('add', ui)]) });
    const { pages } = sourceOf({ url: 'http://shop/', apps: true }, { open });
    const found = await pages?.tool('add', new AbortController().signal);
    expect(found?.name).toBe(isCallable ? 'add' : undefined);
  });
});

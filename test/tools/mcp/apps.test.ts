import { describe, expect, it } from 'vitest';
import { stubOf } from '../../../src/provider/tool-stubs.js';
import { factsOf } from '../../../src/tools/tool-facts.js';
import { toolNamed, toolsetOf } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { registryWith } from './helpers.js';

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

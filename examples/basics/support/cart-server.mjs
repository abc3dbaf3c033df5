/** A small MCP server with an MCP App, over standard streams: a page that shows a cart, and may add to it. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const URI = 'ui://shop/cart';
const PAGE_TYPE = 'text/html;profile=mcp-app';

const cart = ['a duck'];
const inTheCart = () => ({
  content: [{ type: 'text', text: `In the cart: ${cart.join(', ')}` }],
  structuredContent: { cart },
  _meta: { 'shop.example/count': cart.length },
});

const server = new McpServer({ name: 'shop', version: '1.0.0' });

server.registerTool(
  'show_cart',
  {
    description: 'Shows the cart.',
    annotations: { readOnlyHint: true },
    _meta: { ui: { resourceUri: URI } },
  },
  inTheCart,
);

server.registerTool(
  'add_to_cart',
  { description: 'Adds to the cart.', inputSchema: { what: z.string() }, _meta: { ui: { visibility: ['app'] } } },
  ({ what }) => {
    cart.push(what);
    return inTheCart();
  },
);

server.registerTool(
  'empty_cart',
  { description: 'Empties the cart.', _meta: { ui: { visibility: ['model'] } } },
  () => {
    cart.length = 0;
    return inTheCart();
  },
);

server.registerResource('cart', URI, { mimeType: PAGE_TYPE }, () => ({
  contents: [
    {
      uri: URI,
      mimeType: PAGE_TYPE,
      text: '<!doctype html><title>Cart</title><ul id="cart"></ul>',
      _meta: { ui: { csp: { resourceDomains: ['https://cdn.shop.example'] }, prefersBorder: true } },
    },
  ],
}));

await server.connect(new StdioServerTransport());

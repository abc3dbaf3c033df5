/** Shows an MCP App: the page that an MCP server brings for a tool, and a call that the page makes. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { generateText } from 'ai';
import { approveByAnnotations, createResponsesProvider } from 'responses-loop';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('mcp-app');

const asked: string[] = [];
const program = fileURLToPath(new URL('support/cart-server.mjs', import.meta.url));

await using provider = createResponsesProvider({
  ...server.settings,
  // `apps` tells the server that pages are shown here, and lets its pages call its tools.
  mcpServers: { shop: { command: process.execPath, args: [program], apps: true } },
  // Calls of the model and of pages come here alike.
  approve: approveByAnnotations(({ source, originalName, arguments: args }) => {
    asked.push(`${source}: ${originalName} ${JSON.stringify(args)}`);
    return true;
  }),
});

const tools = await provider.tools();
const { text, toolCalls } = await generateText({
  model: provider(server.modelId),
  tools,
  prompt: 'Show me the cart.',
});
console.log(text);
assert.match(text, /a duck/, `The answer should hold what is in the cart, but is "${text}".`);

// The stub of a tool names its page. A part of AI SDK 6 and 7 has the same as `toolMetadata`.
const { server: from, ui } = tools[toolCalls[0]?.toolName ?? 'show_cart']?.metadata ?? {};
assert.ok(from !== undefined && typeof ui?.['resourceUri'] === 'string', 'The tool should have a page.');

const { html, csp } = await provider.readAppResource({ server: from, uri: ui['resourceUri'] });
console.log(`a page of ${html.length} characters, with images from ${csp.resourceDomains?.join(', ')}`);

// The page sits in a sandboxed frame. It asks its host, by `postMessage`, to call a tool of its own server.
const result = await provider.callAppTool({ server: from, tool: 'add_to_cart', input: { what: 'a pond' } });
console.log(result.structuredContent);

assert.deepEqual(result.structuredContent, { cart: ['a duck', 'a pond'] });
assert.deepEqual(
  asked,
  ['shop: add_to_cart {"what":"a pond"}'],
  'Somebody should have been asked about the page alone.',
);

/** Uses MCP servers over all three transports at once: a local process, streamable HTTP, and SSE. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';

import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop';

import { openModelServer } from './support/model-server.js';
import { startPondServer } from './support/start-pond-server.js';

await using server = await openModelServer('mcp-transports');
await using south = await startPondServer('http', 'south', 5);
await using east = await startPondServer('sse', 'east', 30);

const program = fileURLToPath(new URL('support/pond-server.mjs', import.meta.url));

await using provider = createResponsesProvider({
  ...server.settings,
  mcpServers: {
    // A process: the provider starts and ends it.
    north: { command: process.execPath, args: [program, 'stdio', 'north', '7'] },
    south: { url: south.url },
    // Without `type` the provider finds it out: streamable HTTP first, then SSE.
    east: { url: east.url, type: 'sse' },
  },
});

// All three call their tool the same, so each is told apart by the name of its server.
for (const { name, source } of await provider.listTools()) console.log(`${source} offers ${name}`);

const { text } = await generateText({
  model: provider(server.modelId),
  prompt: 'How many ducks are on each pond, the north, the south and the east one?',
});
console.log(text);

for (const [pond, ducks] of Object.entries({ north: /\b7\b/, south: /\b5\b/, east: /\b30\b/ })) {
  assert.match(text, ducks, `The answer should hold the ducks of the ${pond} pond: "${text}".`);
}

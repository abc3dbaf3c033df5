// An MCP server over standard streams whose tool waits to be cancelled. The file of its argument gets the methods that it
// receives, a line each.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const log = process.argv[2];
const server = new Server({ name: 'logging', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'wait', inputSchema: { type: 'object' } }],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
  const progressToken = params._meta?.progressToken;
  if (progressToken !== undefined)
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return { content: [] };
});

const transport = new StdioServerTransport();
await server.connect(transport);
const take = transport.onmessage;
transport.onmessage = (message, extra) => {
  if ('method' in message) appendFileSync(log, `${message.method}\n`);
  take?.(message, extra);
};

// An MCP server whose tool tells how far it is, and waits at half its way, if it is told so.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'slow', version: '1.0.0' });
const tool = {
  description: 'Takes its time.',
  inputSchema: { waits: z.boolean().optional() },
  annotations: { readOnlyHint: true },
};
server.registerTool('slow', tool, async ({ waits = false }, { signal, sendNotification, _meta }) => {
  const tell = async (progress, message) => {
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken: _meta.progressToken, progress, total: 2, message },
    });
    // Its answer comes once the client has read what was sent before.
    await server.server.ping();
  };
  await tell(1, 'half');
  if (waits) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  await tell(2, 'all');
  return { content: [{ type: 'text', text: 'slowly done' }] };
});
await server.connect(new StdioServerTransport());

import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { serve } from './loopback.mjs';

/** One tool with an output schema: by default the MCP SDK checks its results with code made of strings. */
function createPond() {
  const server = new McpServer({ name: 'pond', version: '1.0.0' });
  server.registerTool(
    'measure',
    {
      description: 'Measures a place.',
      inputSchema: { place: z.string() },
      outputSchema: { area: z.number(), unit: z.string() },
    },
    // Without text, so that only the structured part can reach the model.
    () => ({ content: [], structuredContent: { area: 42, unit: 'ares' } }),
  );
  return server;
}

/** The pond over streamable HTTP, with sessions. */
export async function startMcpServer() {
  const sessions = { opened: 0, open: new Map() };
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        sessions.opened += 1;
        sessions.open.set(id, transport);
      },
      onsessionclosed: (id) => void sessions.open.delete(id),
    });
    await createPond().connect(transport);
    return transport;
  };
  const server = await serve(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const transport = id === undefined ? await open() : sessions.open.get(id);
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response);
  });
  return { url: `${server.origin}/mcp`, sessions, close: server.close };
}

if (process.argv.includes('--stdio')) await createPond().connect(new StdioServerTransport());

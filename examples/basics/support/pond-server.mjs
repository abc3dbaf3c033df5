/** A small MCP server: `pond-server.mjs <stdio|http|sse> <pond> <ducks>`. Over HTTP it prints its URL, and ends with its input. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const [transport, pond, ducks] = process.argv.slice(2);
if (transport === 'stdio') await createPondServer().connect(new StdioServerTransport());
else if (transport === 'http') serve('/mcp', streamableHttp());
else if (transport === 'sse') serve('/sse', sse());
else throw new Error(`There is no transport "${transport}".`);

/** One for each client. */
function createPondServer() {
  const server = new McpServer({ name: 'pond', version: '1.0.0' });
  const description = `Counts the ducks on the ${pond} pond.`;
  server.registerTool('count_ducks', { description, annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'text', text: `${ducks} ducks on the ${pond} pond` }],
  }));
  return server;
}

function streamableHttp() {
  const sessions = new Map();
  const open = async () => {
    const session = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createPondServer().connect(session);
    return session;
  };
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const session = id === undefined ? await open() : sessions.get(id);
    if (session === undefined) response.writeHead(404).end();
    else await session.handleRequest(request, response);
  };
}

/** The older transport: a GET opens the stream of events, what the client says comes as POSTs beside it. */
function sse() {
  const sessions = new Map();
  return async (request, response) => {
    if (request.method === 'GET') {
      const session = new SSEServerTransport('/messages', response);
      sessions.set(session.sessionId, session);
      await createPondServer().connect(session);
      return;
    }
    const session = sessions.get(new URL(request.url, 'http://127.0.0.1').searchParams.get('sessionId'));
    if (session === undefined) response.writeHead(404).end();
    else await session.handlePostMessage(request, response);
  };
}

function serve(path, answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}${path}`));
  // Whoever started it is gone.
  process.stdin.resume().once('end', () => process.exit());
}

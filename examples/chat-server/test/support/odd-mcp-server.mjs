// An MCP server with names that mean something else elsewhere. Each tool answers its own name and what it was given.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'writeFile'];

const server = new Server({ name: 'odd', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: NAMES.map((name) => ({
    name,
    description: `Says ${name}.`,
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    annotations: { readOnlyHint: name !== 'writeFile' },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
  content: [{ type: 'text', text: `odd ${params.name} ran with ${JSON.stringify(params.arguments)}` }],
}));
await server.connect(new StdioServerTransport());

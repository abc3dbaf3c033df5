// An MCP server over standard streams: `where` answers with its folder and only reads, `calculate` multiplies, `note` appends
// to the file of its argument and says nothing about itself.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const number = { type: 'number' };
const TOOLS = {
  where: { annotations: { readOnlyHint: true }, inputSchema: { type: 'object' }, run: () => process.cwd() },
  calculate: {
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] },
    run: ({ a, b }) => String(a * b),
  },
  note: {
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    run: ({ text }) => {
      appendFileSync(process.argv[2], `${text}\n`);
      return `noted ${text}`;
    },
  },
};

const server = new Server({ name: 'pond', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(TOOLS).map(([name, { run: _run, ...tool }]) => ({ name, ...tool })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  content: [{ type: 'text', text: TOOLS[params.name].run(params.arguments ?? {}) }],
}));
await server.connect(new StdioServerTransport());

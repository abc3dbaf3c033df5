// An MCP server over standard streams: `look` only reads, `put` writes. Each run leaves a line in the ledger, in its middle.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [ledger] = process.argv.slice(2);
const inputSchema = {
  type: 'object',
  properties: { turn: { type: 'string' }, ms: { type: 'number' }, call: { type: 'string' } },
};
const TOOLS = [
  { name: 'look', description: 'reads', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'put', description: 'writes', inputSchema },
];

const server = new Server({ name: 'pond', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }) => {
  const { turn, ms = 20, call } = input;
  await sleep(ms / 2);
  appendFileSync(ledger, `${JSON.stringify({ tool: name, turn, callId: call })}\n`);
  await sleep(ms / 2);
  return { content: [{ type: 'text', text: `${name} of ${String(turn)}: fine` }] };
});
await server.connect(new StdioServerTransport());

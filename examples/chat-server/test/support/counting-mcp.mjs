// An MCP server for tests. What its tools do is a line in the file that it is given.
import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [, , log] = process.argv;
const note = (line) => appendFileSync(log, `${line}\n`);
const server = new McpServer({ name: 'counting', version: '1.0.0' });
const said = (text) => ({ content: [{ type: 'text', text }] });

server.registerTool('count', { description: 'Counts.', inputSchema: { what: z.string() } }, async ({ what }) => {
  note(`count ${what}`);
  return said(`counted ${what}`);
});
server.registerTool('look', { description: 'Looks.', annotations: { readOnlyHint: true } }, async () => {
  note('look');
  return said('looked');
});
server.registerTool('crash', { description: 'Ends the server.', annotations: { readOnlyHint: true } }, async () => {
  process.exit(3);
});
server.registerTool('wait', { description: 'Waits.', annotations: { readOnlyHint: true } }, async ({ signal }) => {
  note('wait began');
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
    setTimeout(resolve, 120_000).unref();
  });
  note(signal.aborted ? 'wait cancelled' : 'wait ended');
  return said('waited');
});
await server.connect(new StdioServerTransport());

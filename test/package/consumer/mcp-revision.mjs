// node mcp-revision.mjs SERVER WAY: the tools of a server that knows only the newest revision of MCP, and what went wrong.
import { createResponsesProvider } from 'responses-loop';

const [, , server, way] = process.argv;
const entry = way === 'stdio' ? { command: process.execPath, args: [server, 'stdio', 'reject'] } : { url: server };
const warnings = [];
const provider = createResponsesProvider({
  onEvent: (event) => event.type === 'mcp-error' && warnings.push(event.message),
  apiKey: 'key',
  baseURL: 'http://127.0.0.1:9/v1',
  mcpServers: { s: entry },
});
try {
  const tools = await provider.listTools();
  console.log(JSON.stringify({ tools: tools.map(({ name }) => name), warnings }));
} finally {
  await provider.close();
}

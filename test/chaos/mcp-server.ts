import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { McpScenario } from './scenario.js';
import { MCP_TOKEN } from './secrets.js';
import { boomText, doesOf, HUGE, okText, type ToolBench, type ToolRun } from './tools.js';

/** A real MCP server over streamable HTTP that can be killed while it works. */
export interface ChaosMcpServer {
  readonly url: string;
  /** Requests that came without the token. */
  readonly strangers: number;
  close(): Promise<void>;
}

const SCHEMA = { type: 'object', properties: { m: { type: 'string' }, do: { type: 'string' } }, required: ['m'] };
const TOOLS = [
  { name: 'peek', inputSchema: SCHEMA, annotations: { readOnlyHint: true } },
  { name: 'poke', inputSchema: SCHEMA },
];

export async function startMcpServer(scenario: McpScenario, bench: ToolBench): Promise<ChaosMcpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let strangers = 0;
  const http = createServer((request, response) => {
    if (request.headers.authorization !== `Bearer ${MCP_TOKEN}`) strangers += 1;
    handle(request, response).catch(() => response.destroy());
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') return (await openSession()).handleRequest(request, response);
    const session = sessions.get(id);
    if (session !== undefined) return session.handleRequest(request, response);
    request.resume();
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } }));
  };
  const openSession = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: scenario.jsonResponses,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await createTools(bench, { kill, die }).connect(transport);
    return transport;
  };
  const kill = (): void => {
    sessions.clear();
    http.closeAllConnections();
  };
  const die = (): void => {
    http.close();
    kill();
  };
  await listen(http);
  const { port } = http.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      http.close(() => resolve());
      kill();
    });
  if (scenario.deadAtStart) await close();
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    get strangers() {
      return strangers;
    },
    close,
  };
}

interface Power {
  /** Every connection breaks and every session is forgotten, as in a restart. */
  kill(): void;
  /** And nobody comes back. */
  die(): void;
}

function createTools(bench: ToolBench, power: Power): Server {
  const server = new Server({ name: 'chaos', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const args = params.arguments ?? {};
    const run = bench.enter(params.name, args, signal);
    try {
      return await work(run, doesOf(args), power, bench);
    } finally {
      run.isOver = true;
    }
  });
  return server;
}

async function work(run: ToolRun, does: string, power: Power, bench: ToolBench): Promise<CallToolResult> {
  const { marker } = run;
  if (does === 'slow') await sleep(4);
  if (does === 'throw') throw new Error(boomText(marker));
  if (does === 'leak') throw new Error(`boom ${marker}: the token ${MCP_TOKEN} is not welcome`);
  if (does === 'is-error') return { isError: true, content: [{ type: 'text', text: boomText(marker) }] };
  if (does === 'empty') return { content: [] };
  if (does === 'huge') return text(`${okText(marker)} ${HUGE}`);
  if (does === 'hang') return new Promise(() => {});
  const isFirst = bench.runs.filter((other) => other.marker === marker).length === 1;
  if ((does === 'kill' || does === 'die') && isFirst) {
    power[does]();
    return new Promise(() => {});
  }
  return text(okText(marker));
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] };
}

function listen(server: HttpServer): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { OpenTransport } from '../../../src/tools/mcp/connect/open-transport.js';

export interface Page {
  tools: unknown[];
  nextCursor?: string;
}

/** What the SDK's server hands its request handlers; only what the tests use. */
export interface CallContext {
  signal: AbortSignal;
  sendNotification(notification: never): Promise<void>;
}

export type OnCall = (name: string, args: unknown, context: CallContext) => Promise<CallToolResult | undefined>;

export interface ScriptedServer {
  /** Pages by cursor; `''` is the first one. */
  pages: Record<string, Page>;
  onCall?: OnCall;
  capabilities?: object;
  /** Filled in by `serve`. */
  connects: number;
  lists: number;
  calls: string[];
  current?: Server;
}

export function scripted(tools: unknown[], rest: Partial<ScriptedServer> = {}): ScriptedServer {
  return { pages: { '': { tools } }, connects: 0, lists: 0, calls: [], ...rest };
}

export function tool(name: string, rest: object = {}): object {
  return { name, inputSchema: { type: 'object' }, ...rest };
}

/** Real MCP servers of the SDK behind linked in-memory transports, one per connect, found by the host of the URL. */
export function serve(servers: Record<string, ScriptedServer>): OpenTransport {
  return async (config) => {
    const host = 'url' in config ? new URL(config.url).hostname : '';
    const script = servers[host];
    if (script === undefined) throw new Error(`nobody at ${host}`);
    script.connects += 1;
    const server = new Server(
      { name: host, version: '1' },
      { capabilities: { ...(script.capabilities ?? { tools: { listChanged: true } }) } },
    );
    if (script.capabilities === undefined) register(server, script);
    script.current = server;
    const [client, remote] = InMemoryTransport.createLinkedPair();
    await server.connect(remote);
    return { transport: client };
  };
}

function register(server: Server, script: ScriptedServer): void {
  server.setRequestHandler(ListToolsRequestSchema, async (request) => {
    script.lists += 1;
    const page = script.pages[request.params?.cursor ?? ''];
    if (page === undefined) throw new Error('no such page');
    // Scripts may hold what the SDK's types forbid: that is what they are for.
    return page as never;
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, context) => {
    script.calls.push(request.params.name);
    const result = await script.onCall?.(request.params.name, request.params.arguments, context);
    return result ?? { content: [{ type: 'text', text: 'ok' }] };
  });
}

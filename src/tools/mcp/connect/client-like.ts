import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

/**
 * What a live client is to the app: the MCP SDK's `Client` of a server we connected to, to read resources and
 * prompts with; or the client that was handed in, with whatever methods it has.
 */
export type McpLiveClient = Client;

/**
 * A client that the app made: the MCP SDK's `Client` (of either SDK), one of `@ai-sdk/mcp`, or anything with these methods.
 * The tools of a client that does not say when they change are listed anew once a minute, or when the time is over that the
 * server gave for its list. Only the SDK's clients say it, up to revision 2025-11-25.
 */
export type McpClientLike = McpToolClient | McpAiSdkClient;

interface McpToolPage {
  readonly tools: readonly unknown[];
  /** Given back as `cursor` for the next page. */
  readonly nextCursor?: string | undefined;
}

/** What goes along with a request to a client; names and meanings are those of the MCP SDK. */
export interface McpClientRequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  /** Milliseconds. */
  readonly maxTotalTimeout?: number;
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** `cursor` is for clients called as the MCP SDK has it, `params` and `options` inside are the words of `@ai-sdk/mcp`. */
interface McpListRequest {
  cursor?: string;
  params?: { cursor?: string };
  options?: { signal?: AbortSignal };
}

interface McpListingClient {
  /** One page of tools. */
  listTools(request?: McpListRequest, options?: McpClientRequestOptions): PromiseLike<McpToolPage>;
}

/**
 * The methods of a client that matter here, called as the MCP SDK has them.
 *
 * @example
 * const client = {
 *   listTools: async () => ({ tools: [{ name: 'now', inputSchema: { type: 'object' } }] }),
 *   callTool: async ({ name }) => ({ content: [{ type: 'text', text: new Date().toISOString() }] }),
 * };
 */
export interface McpToolClient extends McpListingClient {
  /** Resolves with a result in MCP's shape: `content`, `structuredContent`, `isError`. */
  callTool(
    params: { name: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: McpClientRequestOptions,
  ): PromiseLike<unknown>;
  /** Needed only for `resolveResourceLinks`. */
  readResource?(params: { uri: string }, options?: McpClientRequestOptions): PromiseLike<unknown>;
  /** Needed only for `useInstructions`. */
  getInstructions?(): string | undefined;
}

/** The client of `@ai-sdk/mcp`, which takes its parameters and options in one object and calls tools by their definitions. */
export interface McpAiSdkClient extends McpListingClient {
  toolsFromDefinitions(definitions: { tools: unknown[] }): object;
  readResource?(request: { uri: string; options?: { signal?: AbortSignal } }): PromiseLike<unknown>;
}

export function isClientLike(value: unknown): value is McpClientLike {
  return has(value, 'listTools') && (has(value, 'callTool') || has(value, 'toolsFromDefinitions'));
}

/** Asked by method, not by class: the app may have a copy of the SDK of its own. */
export function isSdkClient(client: McpClientLike): client is McpToolClient & Client {
  return has(client, 'request') && has(client, 'getServerCapabilities') && has(client, 'setNotificationHandler');
}

/** What stands for the present connection of a client; changes when the app connects it anew. */
export function connectionMark(client: McpClientLike): unknown {
  if (!isSdkClient(client)) return undefined;
  // While it initialises it has a transport already, but nothing to say about the server.
  return client.getServerCapabilities() === undefined ? undefined : client.transport;
}

/** A client of `@modelcontextprotocol/client`, the SDK that also knows revision 2026-07-28. */
export function asModernSdkClient(client: object): ModernClient | undefined {
  return has(client, 'getProtocolEra') ? (client as ModernClient) : undefined;
}

export function isAiSdkClient(client: McpClientLike): client is McpAiSdkClient {
  return has(client, 'toolsFromDefinitions');
}

/** One of `@ai-sdk/mcp` before 1.0.20 (its 0.0 line is the one for AI SDK 5): calls take `args`, not `arguments`. */
export function isOldAiSdkClient(client: McpClientLike): client is McpToolClient {
  return has(client, 'tools') && has(client, 'callTool') && !has(client, 'setNotificationHandler');
}

function has(value: unknown, method: string): boolean {
  // A class instance has its methods on the prototype.
  return (
    typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[method] === 'function'
  );
}

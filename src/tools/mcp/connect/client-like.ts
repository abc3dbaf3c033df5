import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

/**
 * A connected client for the app: the MCP SDK's `Client`, to read resources and prompts with; or the client that the
 * app handed in, with its own methods.
 */
export type McpLiveClient = Client;

/**
 * A client that the app made: the MCP SDK's `Client` (of either SDK), one of `@ai-sdk/mcp`, or any object with these
 * methods. If the client announces no changes, its tools are listed again once a minute, or when the server's validity
 * is over. Only the SDK's clients announce changes, up to revision 2025-11-25.
 */
export type McpClientLike = McpToolClient | McpAiSdkClient;

interface McpToolPage {
  readonly tools: readonly unknown[];
  /** Sent back as `cursor` for the next page. */
  readonly nextCursor?: string | undefined;
}

/** The options of a request; names and meanings are those of the MCP SDK. */
export interface McpClientRequestOptions {
  readonly signal?: AbortSignal;
  /** In milliseconds. */
  readonly timeout?: number;
  readonly resetTimeoutOnProgress?: boolean;
  /** In milliseconds. */
  readonly maxTotalTimeout?: number;
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** `cursor` is for clients with the MCP SDK's signature; `params` and `options` are for `@ai-sdk/mcp`. */
interface McpListRequest {
  cursor?: string;
  params?: { cursor?: string };
  options?: { signal?: AbortSignal };
}

interface McpListingClient {
  /** Returns one page of tools. */
  listTools(request?: McpListRequest, options?: McpClientRequestOptions): PromiseLike<McpToolPage>;
}

/**
 * The methods that a client needs, with the MCP SDK's signatures.
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

/** The client of `@ai-sdk/mcp`: it takes parameters and options in one object and calls tools by their definitions. */
export interface McpAiSdkClient extends McpListingClient {
  /** Makes tools of the AI SDK from the definitions of the server. */
  toolsFromDefinitions(definitions: { tools: unknown[] }): object;
  /** Reads a resource of the server. */
  readResource?(request: { uri: string; options?: { signal?: AbortSignal } }): PromiseLike<unknown>;
}

export function isClientLike(value: unknown): value is McpClientLike {
  return has(value, 'listTools') && (has(value, 'callTool') || has(value, 'toolsFromDefinitions'));
}

/** Looks at the methods, because the app may have its own copy of the SDK's classes. */
export function isSdkClient(client: McpClientLike): client is McpToolClient & Client {
  return has(client, 'request') && has(client, 'getServerCapabilities') && has(client, 'setNotificationHandler');
}

/** Returns a value that identifies the client's present connection; it changes when the app reconnects. */
export function connectionMark(client: McpClientLike): unknown {
  if (!isSdkClient(client)) return undefined;
  // During initialization it has a transport, but does not know the server yet.
  return client.getServerCapabilities() === undefined ? undefined : client.transport;
}

/**
 * Returns the client if it is one of `@modelcontextprotocol/client`, the SDK that also supports revision 2026-07-28.
 */
export function asModernSdkClient(client: object): ModernClient | undefined {
  return has(client, 'getProtocolEra') ? (client as ModernClient) : undefined;
}

export function isAiSdkClient(client: McpClientLike): client is McpAiSdkClient {
  return has(client, 'toolsFromDefinitions');
}

/** True for `@ai-sdk/mcp` before 1.0.20 (its 0.0 line is for AI SDK 5): its calls take `args`, not `arguments`. */
export function isOldAiSdkClient(client: McpClientLike): client is McpToolClient {
  return has(client, 'tools') && has(client, 'callTool') && !has(client, 'setNotificationHandler');
}

function has(value: unknown, method: string): boolean {
  // A class instance has its methods on the prototype.
  return (
    typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[method] === 'function'
  );
}

/** MCP servers by key, in the shape of the `mcpServers` object of MCP client config files. */
export type McpServers = Readonly<Record<string, McpServerConfig>>;

export type McpServerConfig = McpStdioConfig | McpHttpConfig;

interface McpCommonConfig {
  /** Longest silence of one tool call in milliseconds. Default: the provider's `toolTimeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Leaves the server out without deleting its entry. */
  readonly disabled?: boolean | undefined;
}

/**
 * A server that is started as a child process and spoken to over its standard streams. Node, Bun and Deno only.
 *
 * @example { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] }
 */
export interface McpStdioConfig extends McpCommonConfig {
  readonly type?: 'stdio' | undefined;
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a small set of harmless inherited variables (`PATH`, `HOME`, …); nothing else is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Working directory. Default: that of this process. */
  readonly cwd?: string | undefined;
}

/**
 * A server that is reached over HTTP.
 *
 * @example { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer …' } }
 */
export interface McpHttpConfig extends McpCommonConfig {
  readonly url: string | URL;
  /** Default: streamable HTTP, and SSE if the server does not know that. */
  readonly type?: McpHttpType | undefined;
  /** Another name for `type`, as some config files have it. */
  readonly transport?: McpHttpType | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type McpHttpType = 'http' | 'streamable-http' | 'sse';

export function isStdioConfig(config: McpServerConfig): config is McpStdioConfig {
  return 'command' in config && config.command !== undefined;
}

/** Some clients' files say `enabled: false` instead. */
export function isDisabled(config: object): boolean {
  return ('disabled' in config && config.disabled === true) || ('enabled' in config && config.enabled === false);
}

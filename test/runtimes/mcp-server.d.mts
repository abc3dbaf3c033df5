/** An MCP server over streamable HTTP, which has the tool `measure`. */
export function startMcpServer(): Promise<{ readonly url: string; close(): Promise<void> }>;

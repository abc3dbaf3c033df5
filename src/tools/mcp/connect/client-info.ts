/** How we introduce ourselves to MCP servers. */
export const MCP_CLIENT_INFO = { name: 'responses-loop', version: '0.1.0' } as const;

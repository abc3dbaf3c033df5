/** Planted, and searched for in everything that comes out. */
export const API_KEY = 'sk-chaos-PLANTED-KEY-0123456789abcdef';
export const MCP_TOKEN = 'mcp-chaos-PLANTED-TOKEN-0123456789';
export const SEALED = 'SEALED-REASONING';

/** How servers repeat a key in an error. */
export function echoed(): string {
  return `Incorrect API key provided: ${API_KEY}.`;
}

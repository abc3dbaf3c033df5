import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './target.js';

const TOOLS = fileURLToPath(new URL('tools.mjs', import.meta.url));

/** Writes the file that names the MCP server of a fleet, whose reading tools run unasked. */
export function toolsConfig({ folder, ledger }: Pick<Place, 'folder' | 'ledger'>): string {
  const path = join(folder, 'mcp.json');
  const pond = { command: process.execPath, args: [TOOLS, ledger], trust: true };
  writeFileSync(path, JSON.stringify({ mcpServers: { pond } }));
  return path;
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('counting-mcp.mjs', import.meta.url));

/** The config of the MCP server of the tests, and what its tools did so far. */
export function countingServer(
  folder: string,
  fields: object = {},
): { readonly args: string[]; readonly did: () => string[] } {
  const log = join(folder, 'did.log');
  const config = join(folder, 'mcp.json');
  const counting = { command: process.execPath, args: [SCRIPT, log], trust: true, ...fields };
  writeFileSync(config, JSON.stringify({ mcpServers: { counting } }));
  const did = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { args: ['--mcp-config', config], did };
}

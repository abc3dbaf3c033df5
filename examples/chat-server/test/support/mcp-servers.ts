import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Entries of the MCP config, of real servers that lie in node_modules and of one made for tests. */
export const MCP_SERVERS = {
  everything: entry('everything', 'stdio'),
  files: (folder: string) => ({ ...entry('filesystem'), args: [...entry('filesystem').args, folder] }),
  memory: (file: string) => ({ ...entry('memory'), env: { MEMORY_FILE_PATH: file } }),
  apps: { command: process.execPath, args: [fileURLToPath(new URL('app-mcp.mjs', import.meta.url))] },
  asking: {
    command: process.execPath,
    args: [fileURLToPath(new URL('../../../shared/test/helpers/lively-mcp.mjs', import.meta.url))],
  },
  odd: { command: process.execPath, args: [fileURLToPath(new URL('odd-mcp-server.mjs', import.meta.url))] },
};

/** Writes the config beside the workspace's files, and gives the flag that names it. */
export function mcpConfig(folder: string, mcpServers: Record<string, object>): string[] {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return ['--mcp-config', path];
}

function entry(name: string, ...args: string[]): { command: string; args: string[] } {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args] };
}

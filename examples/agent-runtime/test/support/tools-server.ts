import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { makeWorkspace } from './workspace.js';

const SERVER = fileURLToPath(new URL('./tools-server.mjs', import.meta.url));

/** The entry of a real MCP server, and what its writing tool has written. */
export function toolsServer(folder: string = realpathSync(makeWorkspace())) {
  const file = join(folder, 'notes.txt');
  return {
    folder,
    entry: { command: process.execPath, args: [SERVER, file] },
    notes: (): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
  };
}

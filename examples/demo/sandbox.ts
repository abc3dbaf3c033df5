import { randomBytes } from 'node:crypto';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { McpStdioConfig } from 'responses-loop';

/** A fresh folder with a secret in it, which only somebody who reads the file can know. */
export interface Sandbox {
  readonly folder: string;
  readonly token: string;
  remove(): void;
}

export async function createSandbox(): Promise<Sandbox> {
  // The file server compares real paths, and temporary folders are links on some systems.
  const folder = realpathSync(await mkdtemp(join(tmpdir(), 'responses-loop-demo-')));
  const token = randomBytes(8).toString('hex');
  await writeFile(join(folder, 'shopping.txt'), 'Bread, tea, duck food.\n');
  await writeFile(join(folder, `token-${randomBytes(2).toString('hex')}.txt`), `The token is ${token}.\n`);
  return { folder, token, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Two real MCP servers, each a process of its own. */
export function mcpServersFor(folder: string): { files: McpStdioConfig; everything: McpStdioConfig } {
  return {
    files: { command: process.execPath, args: [entryOf('@modelcontextprotocol/server-filesystem'), folder] },
    everything: { command: process.execPath, args: [entryOf('@modelcontextprotocol/server-everything')] },
  };
}

/** The program an installed package brings, so that nothing has to be downloaded or be on the PATH. */
function entryOf(name: string): string {
  const manifest = locate(`${name}/package.json`);
  if (manifest === undefined) throw new Error(`${name} is not installed: run "npm install" first.`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), Object.values(bin)[0] ?? '');
}

function locate(path: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(path);
  } catch {
    return undefined;
  }
}

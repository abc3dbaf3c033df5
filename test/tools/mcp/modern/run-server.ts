import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createToolRegistry, type ToolRegistryOptions } from '../../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../../src/tools/loop-tool.js';
import type { McpServerEntry, McpStdioConfig } from '../../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../../support/call.js';

export const modernServer = fileURLToPath(new URL('server.mjs', import.meta.url));

/** `reject`: only revision 2026-07-28; `serve`: older ones as well. */
export type Legacy = 'reject' | 'serve';

export function overStdio(legacy: Legacy, env: Record<string, string> = {}): McpStdioConfig {
  return { command: process.execPath, args: [modernServer, 'stdio', legacy], env };
}

export interface Seen {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> } | null;
}

export interface HttpServer {
  readonly url: string;
  /** Every request that reached it. */
  seen(): Promise<readonly Seen[]>;
}

/** The server over HTTP, as a process that ends with the test. */
export async function overHttp(legacy: Legacy, env: Record<string, string> = {}): Promise<HttpServer> {
  const child = spawn(process.execPath, [modernServer, 'http', legacy], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${port.toString().trim()}`;
  return {
    url: `${origin}/mcp`,
    seen: async () => (await (await fetch(`${origin}/seen`)).json()) as Seen[],
  };
}

/** A registry with the server `s`, closed at the end of the test. */
export function registryFor(entry: McpServerEntry, options: ToolRegistryOptions = {}): ToolRegistry {
  const registry = createToolRegistry({ mcpServers: { s: entry }, connectTimeoutMs: 20_000, ...options });
  onTestFinished(() => registry.close());
  return registry;
}

/** Calls a tool of the latest toolset; the text of its output. */
export async function run(registry: ToolRegistry, name: string, args: object = {}): Promise<string> {
  return textOf(await callTool(toolNamed(await toolsetOf(registry), name), args));
}

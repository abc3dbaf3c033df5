import { onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/core/limits.js';
import { registryOf } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import { createMcpSource, type McpSourceOptions, type McpToolSource } from '../../../src/tools/mcp/mcp-source.js';
import { openTransport } from '../../../src/tools/mcp/connect/open-transport.js';
import type { McpServerEntry, McpServers } from '../../../src/tools/mcp/server-config.js';

type Options = Partial<Omit<McpSourceOptions, 'key' | 'config'>>;

/** A source as the registry makes it, closed at the end of the test. */
export function sourceOf(config: McpServerEntry, options: Options = {}, key = 'docs'): McpToolSource {
  const source = createMcpSource({
    key,
    config,
    fetch: (url, init) => fetch(url, init),
    open: openTransport,
    limits: DEFAULT_LIMITS,
    connectTimeoutMs: 10_000,
    now: Date.now,
    ...options,
  });
  onTestFinished(() => source.close());
  return source;
}

export function registryWith(servers: McpServers, options: Options = {}): ToolRegistry {
  return registryOf(Object.entries(servers).map(([key, config]) => sourceOf(config, options, key)));
}

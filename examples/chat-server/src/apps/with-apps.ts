import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';

/** Tells each server that its apps are shown here, unless its entry says otherwise. */
export function withApps(config: McpConfig): McpConfig {
  return Object.fromEntries(Object.entries(config).map(([name, entry]) => [name, { apps: true, ...entry }]));
}

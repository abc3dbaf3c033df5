import type { HostedTool } from '../wire/tool.js';
import { asArray, asRecord } from '../util/guards.js';

const CLIENT_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/** Only the client runs it. A namespace may hold tools, at any depth: what the server runs stays out of all of them. */
export function isClients(tool: unknown): tool is HostedTool {
  const { type, tools } = asRecord(tool) ?? {};
  return CLIENT_TOOLS.has(type) && asArray(tools).every(isClients);
}

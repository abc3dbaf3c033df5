import type { ToolSet } from 'ai';
import type { ResponsesProviderV3 } from 'responses-loop/v3';

/** Who runs tools of MCP servers: the provider inside the model's step, or the AI SDK between steps, as it runs the app's tools. */
export type RunTools = 'model' | 'sdk';

/** Tools of MCP servers for the AI SDK to run, by their names at the provider. */
export type McpToolset = Awaited<ReturnType<typeof sdkTools>>;

export function sdkTools(provider: ResponsesProviderV3) {
  return provider.tools({ runBy: 'sdk' });
}

/** Adds them to the app's tools. One that is called like a tool of the app has its server in front, as the provider names it. */
export function withMcpTools(own: ToolSet, mcpTools: McpToolset, ids: readonly string[]): ToolSet {
  const taken = new Set(ids);
  for (const [name, tool] of Object.entries(mcpTools)) {
    own[taken.has(name) ? `${tool.metadata.server}__${name}` : name] = tool;
  }
  return own;
}

/**
 * The code that an entry does not import, and the time of its loading. An entry contains the code that creates a
 * provider: names, checks of settings (which throw at once), endpoints, the interface of a model. Each `import()` here
 * is its own chunk:
 *
 * - `calls`: requests, transport, stream, loop, and the AI SDK's adapters. Loading begins with the provider, so that a
 *   first call finds it.
 * - `tools`: the sources of tools, MCP servers among them. Loaded on first use, if the settings name some.
 * - `compact`: requests for summaries, for `provider.compact()`.
 * - `stubs`: the list of those tools, for apps that request it.
 * - `sdkTools`: those tools with `execute`, for apps that have the AI SDK run them.
 * - `apps`: pages of MCP Apps and their calls, for apps that show them.
 *
 * Other packages are loaded in the same way by their users (`tools/mcp`, `resolve-schema.ts`, `tool-stubs.ts`).
 *
 * Keeps nothing: runtimes keep loaded code, a failed chunk may load the next time, and Workers refuse promises that
 * requests share.
 */
export const onDemand = {
  calls: () => import('./first-call.js'),
  tools: () => import('../tools/create-tool-registry.js'),
  compact: () => import('./compact.js'),
  stubs: () => import('./tool-stubs.js'),
  sdkTools: () => import('./sdk-tools.js'),
  apps: () => import('./mcp-apps.js'),
};

/**
 * What importing an entry does not load, and when it is loaded instead. In an entry is what makes a provider: names, checks
 * of settings (which throw at once), endpoints, the face of a model. Each `import()` here is a chunk of its own:
 *
 * - `calls`: requests, transport, stream, loop, and the words of the AI SDK for what comes of them. Begun when a provider is
 *   created, so that a first call finds it there.
 * - `tools`: where tools come from, MCP servers among them. For settings that name some, when they are first asked for.
 * - `compact`: what has a server sum a conversation up, for `provider.compact()`.
 * - `stubs`: what lists those tools, for apps that ask for the list.
 * - `sdkTools`: those tools with `execute`, for apps that have the AI SDK run them.
 * - `apps`: pages of MCP Apps and their calls, for apps that show them.
 *
 * Beside what needs them, in the same way: other packages (`tools/mcp`, `resolve-schema.ts`, `tool-stubs.ts`).
 *
 * Nothing is kept here: runtimes keep what was loaded, a chunk that could not be fetched may be there the next time, and
 * Workers take a promise amiss that requests share.
 */
export const onDemand = {
  calls: () => import('./first-call.js'),
  tools: () => import('../tools/create-tool-registry.js'),
  compact: () => import('./compact.js'),
  stubs: () => import('./tool-stubs.js'),
  sdkTools: () => import('./sdk-tools.js'),
  apps: () => import('./mcp-apps.js'),
};

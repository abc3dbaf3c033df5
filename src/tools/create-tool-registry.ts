import { DEFAULT_LIMITS, type Given, type LIMITS, TIMEOUTS } from '../core/limits.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { providerClosed } from '../errors/provider-closed.js';
import type { Observer } from '../observe/event.js';
import { abortError, type AbortLike } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { errorText } from '../util/error-text.js';
import { joinedLists } from '../util/recent-texts.js';
import { steadyNow } from '../util/timers.js';
import { createLocalSource } from './local/local-source.js';
import type { LocalTool } from './local/local-tool.js';
import type { ResolveSchema } from './local/resolve-schema.js';
import type { ServerSource, ToolsetOptions, Toolset, ToolRegistry } from './loop-tool.js';
import { makeToolset, type SchemaCache, type SourceListing } from './make-toolset.js';
import type { OnElicitation } from './mcp/elicitation.js';
import type { FetchLike } from './mcp/sdk-gaps/guard-fetch.js';
import { createMcpSource } from './mcp/mcp-source.js';
import { loadModernSdk } from './mcp/modern/load-sdk.js';
import { openTransport, type OpenTransport } from './mcp/connect/open-transport.js';
import type { OnToolsChanged } from './mcp/review-tools.js';
import { isDisabled, type McpServers } from './mcp/server-config.js';
import type { SourceTool, ToolSource } from './tool-source.js';

export interface ToolRegistryOptions {
  readonly mcpServers?: McpServers | undefined;
  readonly tools?: Readonly<Record<string, LocalTool>> | undefined;
  /** Reads zod, Standard Schema and AI SDK schemas; without it only JSON schemas and `jsonSchema()` are understood. */
  readonly resolveSchema?: ResolveSchema | undefined;
  /** For connecting to a server and listing its tools, in milliseconds. @default 30,000 */
  readonly connectTimeoutMs?: number | undefined;
  /** For HTTP and SSE servers. @default the global `fetch`, looked up at every request */
  readonly fetch?: FetchLike | undefined;
  /** The limits for MCP servers; see `Limits`. */
  readonly limits?: Given<typeof LIMITS> | undefined;
  /** Answers questions of MCP servers to the user. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Called if a server lists other tools than before. */
  readonly onToolsChanged?: OnToolsChanged | undefined;
  readonly observer?: Observer | undefined;
  /** Milliseconds, for durations and for the pause after a failed connect. @default a monotonic clock */
  readonly now?: (() => number) | undefined;
  /** Replaces how servers are reached; for tests with in-memory servers. */
  readonly openTransport?: OpenTransport | undefined;
  /** Wraps how servers are reached, such as to watch what is sent. */
  readonly wrapTransports?: ((open: OpenTransport) => OpenTransport) | undefined;
}

/**
 * Gathers the tools of all MCP servers and of this process. Connects when the first toolset is made. The provider
 * checks its settings when it is created (`checkSettings`).
 *
 * @example
 * const registry = createToolRegistry({ mcpServers: { files: { command: 'npx', args: ['-y', 'some-server'] } } });
 * const { tools, warnings } = await registry.toolset({ clientNames: [], nameClash: 'rename' });
 */
export function createToolRegistry(options: ToolRegistryOptions): ToolRegistry {
  return registryOf([...mcpSources(options), ...localSources(options)]);
}

/** A registry over sources that exist already. */
export function registryOf(sources: readonly ToolSource[]): ToolRegistry {
  const schemas: SchemaCache = new WeakMap();
  const lastKnown = new Map<ToolSource, readonly SourceTool[]>();
  /** The latest toolset of all sources, and the latest of some. */
  const latest = new Map<'all' | 'some', { readonly parts: readonly unknown[]; readonly toolset: Toolset }>();
  let closing: Promise<void> | undefined;

  return {
    async toolset(options: ToolsetOptions): Promise<Toolset> {
      const { signal } = options;
      throwIfAborted(signal);
      const { servers } = options;
      const isChosen = (source: ToolSource): boolean => servers === undefined || servers.has(source.key);
      const listings = await Promise.all(
        sources.map(async (source) =>
          isChosen(source) ? listSource(source, lastKnown, signal) : withheld(source, lastKnown),
        ),
      );
      throwIfAborted(signal);
      if (closing !== undefined) throw providerClosed();
      const { nameClash, clientNames, knownOptions } = options;
      // An absent set differs from an empty one.
      const known = knownOptions && [...knownOptions].join();
      const parts: unknown[] = [nameClash, clientNames.join('\n'), known];
      for (const { tools, isAvailable, instructions } of listings) parts.push(tools, isAvailable, instructions);
      // Rare, because a source returns the same array until its tools change.
      const slot = servers === undefined ? 'all' : 'some';
      let last = latest.get(slot);
      if (last === undefined || parts.some((part, at) => part !== last?.parts[at])) {
        last = { parts, toolset: makeToolset(listings, schemas, options) };
        latest.set(slot, last);
      }
      const { toolset } = last;
      const warnings: string[] = [];
      for (const listing of listings) warnings.push(...listing.warnings);
      return warnings.length === 0 ? toolset : { ...toolset, warnings: [...warnings, ...toolset.warnings] };
    },
    source: async (key) => serverNamed(key, sources),
    async finishSignIn(key, callbackUrl) {
      const source = sources.find((candidate) => candidate.key === key && candidate.finishSignIn !== undefined);
      if (source?.finishSignIn !== undefined) return source.finishSignIn(callbackUrl);
      throw invalidSettings(
        `No MCP server "${key}" with an \`authProvider\` is configured, so no sign-in can be finished for it.`,
      );
    },
    secrets: joinedLists(sources.flatMap(({ secrets }) => secrets ?? [])),
    close: () => (closing ??= Promise.all(sources.map((source) => source.close())).then(() => {})),
  };
}

function serverNamed(key: string, sources: readonly ToolSource[]): ServerSource {
  const servers = sources.filter((source): source is ServerSource => source.client !== undefined);
  const server = servers.find((candidate) => candidate.key === key);
  if (server !== undefined) return server;
  const keys = servers.map((candidate) => candidate.key);
  throw invalidSettings(
    `Unknown MCP server "${key}". ${keys.length === 0 ? 'None is configured.' : `Known servers: ${keys.join(', ')}.`}`,
  );
}

function throwIfAborted(signal: AbortLike | undefined): void {
  if (signal?.aborted === true) throw abortError(signal);
}

const NONE: readonly SourceTool[] = [];

/** A source that fails only disables its own tools. */
async function listSource(
  source: ToolSource,
  lastKnown: Map<ToolSource, readonly SourceTool[]>,
  signal: AbortLike | undefined,
): Promise<SourceListing> {
  try {
    const tools = await source.list(signal);
    lastKnown.set(source, tools);
    const instructions = source.instructions?.();
    return { source, tools, isAvailable: true, warnings: source.takeWarnings?.() ?? [], instructions };
  } catch (error) {
    const warnings = [...(source.takeWarnings?.() ?? []), errorText(error)];
    return { source, tools: lastKnown.get(source) ?? NONE, isAvailable: false, warnings, instructions: undefined };
  }
}

/** Its last known tools keep their names, so that those of other sources do not change. */
function withheld(source: ToolSource, lastKnown: ReadonlyMap<ToolSource, readonly SourceTool[]>): SourceListing {
  return {
    source,
    tools: lastKnown.get(source) ?? NONE,
    isAvailable: false,
    warnings: [],
    instructions: undefined,
  };
}

function mcpSources(options: ToolRegistryOptions): readonly ToolSource[] {
  const enabled = Object.entries(options.mcpServers ?? {}).filter(([, config]) => !isDisabled(config));
  return enabled.map(([key, config]) =>
    createMcpSource({
      key,
      config,
      // Called without `this`, because browsers refuse `fetch` as a method (NitroRCr/AIaW#68).
      fetch: (url, init) => (options.fetch ?? globalThis.fetch)(url, init),
      open: (options.wrapTransports ?? ((open) => open))(options.openTransport ?? openTransport),
      // A replaced transport supports only the older revisions.
      loadModern: options.openTransport === undefined ? loadModernSdk : undefined,
      connectTimeoutMs: options.connectTimeoutMs ?? TIMEOUTS.connectMs.byDefault,
      now: options.now ?? steadyNow,
      observer: options.observer,
      onElicitation: options.onElicitation,
      onToolsChanged: options.onToolsChanged,
      limits: { ...DEFAULT_LIMITS, ...defined(options.limits ?? {}) },
    }),
  );
}

function localSources({ tools, resolveSchema }: ToolRegistryOptions): readonly ToolSource[] {
  return Object.keys(tools ?? {}).length === 0 ? [] : [createLocalSource(tools ?? {}, resolveSchema)];
}

import type { ObserverEvent } from '../../observe/event.js';
import { createToolRegistry } from '../../tools/create-tool-registry.js';
import type { Toolset, ToolRegistry } from '../../tools/loop-tool.js';
import { describeServer } from '../../tools/mcp/describe-server.js';
import type { McpServerConfig } from '../../tools/mcp/server-config.js';
import { createToolFilter } from '../../tools/mcp/tool-filter.js';
import { defined } from '../../util/defined.js';
import { asRecord, asString } from '../../util/guards.js';
import { AccessWatch, type SignIn } from './watch-access.js';
import { type OnMessage, watchMessages } from './watch-messages.js';

/** A server and the tools that it listed. */
export interface Inspection {
  readonly key: string;
  /** The command or the URL, without secrets. */
  readonly address: string;
  readonly toolset: Toolset;
  /** Warnings about it; if it could not be reached, the reason. */
  readonly warnings: readonly string[];
  /** Tools that `allowTools` or `denyTools` of its entry keep from the model. */
  readonly filteredOut: readonly string[];
  readonly signIn: SignIn;
  /** Absent if it could not be reached. */
  readonly connected?: Connected;
}

export interface Connected {
  readonly durationMs: number;
  readonly name?: string;
  readonly version?: string;
  readonly revision?: string;
  readonly instructionsChars: number;
}

export interface InspectOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Gets each message to and from a server. */
  readonly onMessage?: ((server: string, ...message: Parameters<OnMessage>) => void) | undefined;
}

/** An entry, and how to close what was opened for it. */
export interface OpenServer {
  readonly inspect: () => Promise<Inspection>;
  readonly close: () => Promise<void>;
}

/** Opens each server in its own registry, so that every warning belongs to one server. */
export function openServer(
  key: string,
  config: McpServerConfig,
  { timeoutMs, signal, onMessage }: InspectOptions,
): OpenServer {
  const access = new AccessWatch();
  const filter = new WatchedFilter(config);
  let connect: Extract<ObserverEvent, { type: 'mcp-connect' }> | undefined;
  const registry = createToolRegistry({
    mcpServers: { [key]: filter.config },
    connectTimeoutMs: timeoutMs,
    fetch: access.fetch,
    wrapTransports: onMessage && ((open) => watchMessages(open, (...message) => onMessage(key, ...message))),
    observer: (event) => {
      if (event.type === 'mcp-connect') connect = event;
    },
  });
  const inspect = async (): Promise<Inspection> => {
    const toolset = await registry.toolset({ clientNames: [], nameClash: 'rename', signal });
    const warnings = [...toolset.warnings, ...filter.unmatched().map((text) => `MCP server "${key}": ${text}`)];
    const seen = { key, address: describeServer(config), toolset, warnings, filteredOut: [...filter.out] };
    if (connect === undefined) return { ...seen, signIn: signInOf(config, access, false) };
    const { durationMs } = connect;
    const connected = { durationMs, ...(await askWho(registry, key, access)) };
    return { ...seen, connected, signIn: signInOf(config, access, true) };
  };
  return { inspect, close: () => registry.close() };
}

function signInOf(config: McpServerConfig, access: AccessWatch, isConnected: boolean): SignIn {
  return 'url' in config ? access.signIn(isConnected) : { state: 'no process wants one' };
}

/** Reads what the server sent when it was connected; sends nothing. */
async function askWho(
  registry: ToolRegistry,
  key: string,
  access: AccessWatch,
): Promise<Omit<Connected, 'durationMs'>> {
  const client = await (await registry.source(key)).client();
  const who = asRecord(client.getServerVersion()) ?? {};
  // Only the SDK for revision 2026-07-28 has this method.
  const ask: unknown = Reflect.get(client, 'getNegotiatedProtocolVersion');
  const known: unknown = typeof ask === 'function' ? Reflect.apply(ask, client, []) : undefined;
  const revision = asString(known) ?? asString(asRecord(client.transport)?.['protocolVersion']) ?? access.revision;
  const instructionsChars = client.getInstructions()?.length ?? 0;
  return {
    ...defined({ name: asString(who['name']), version: asString(who['version']), revision }),
    instructionsChars,
  };
}

/** The lists of the entry as a function that decides alike and remembers the refused tools. */
class WatchedFilter {
  readonly out = new Set<string>();
  readonly config: McpServerConfig;
  readonly #names = new Set<string>();
  readonly #filter: ReturnType<typeof createToolFilter>;

  constructor(config: McpServerConfig) {
    this.#filter = createToolFilter(config);
    const { denyTools: _denied, ...rest } = config;
    this.config = { ...rest, allowTools: ({ name }) => this.#admits(name) };
  }

  /** Returns the entries that match no tool: most likely typing errors. */
  unmatched(): readonly string[] {
    return Object.entries(this.#filter.unmatched([...this.#names]))
      .filter(([list, entries]) => list !== 'deferTools' && entries.length > 0)
      .map(([list, entries]) => `\`${list}\` names tools that it does not have: ${entries.join(', ')}.`);
  }

  #admits(name: string): boolean {
    this.#names.add(name);
    const isAdmitted = this.#filter.admits(name);
    if (!isAdmitted) this.out.add(name);
    return isAdmitted;
  }
}

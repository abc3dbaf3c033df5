import { clean } from '../../../core/clean-text.js';
import { Redactor } from '../../../observe/redactor.js';
import { cleanCause } from '../../../observe/redact-error.js';
import { secretsOfServer } from '../describe-server.js';
import { timerMs } from '../../../util/timers.js';
import { guardFetch, type FetchLike } from '../sdk-gaps/guard-fetch.js';
import type { ModernSdk } from '../modern/load-sdk.js';
import { paceStreams } from '../sdk-gaps/pace-streams.js';
import { isStdioConfig, type McpHttpConfig, type McpTransportConfig, type McpStdioConfig } from '../server-config.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { errorText } from '../../../util/error-text.js';
import type { OpenedTransport } from '../stdio-contract.js';

export type TransportKind = 'stdio' | 'http' | 'sse';

/**
 * Opens a transport; tests replace it by in-memory servers. `fetch` adds headers and tokens of the settings. `sdk` asks for
 * revision 2026-07-28 over HTTP.
 */
export type OpenTransport = (
  config: McpTransportConfig,
  kind: TransportKind,
  fetch: FetchLike,
  sdk?: ModernSdk,
) => Promise<OpenedTransport>;

/** Returns the kinds to try, in order: a URL without a type may belong to a server that supports only SSE. */
export function transportKinds(config: McpTransportConfig): readonly TransportKind[] {
  if (isStdioConfig(config)) return ['stdio'];
  const type = config.type ?? config.transport;
  if (type === undefined) return ['http', 'sse'];
  return type === 'sse' ? ['sse'] : ['http'];
}

export const openTransport: OpenTransport = async (config, kind, fetch, sdk) => {
  if (isStdioConfig(config)) return openStdioServer(config);
  if (sdk !== undefined) return openModernHttp(sdk, config, fetch);
  return kind === 'sse' ? openSse(config, fetch) : openHttp(config, fetch);
};

async function openHttp(config: McpHttpConfig, fetch: FetchLike): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const transport = new StreamableHTTPClientTransport(new URL(config.url), {
    fetch: guardFetch(paceStreams(fetch)),
  });
  unrefReconnections(transport);
  return { transport, endSession: () => transport.terminateSession() };
}

/**
 * The SDK reopens a stream after the server's delay and clears only the last such timer on close. Timers of parallel
 * streams would keep the process alive, for hours if the server wants it (seen with SDK 1.32.2).
 */
function unrefReconnections(transport: object): void {
  let last: { unref?(): void } | undefined;
  Object.defineProperty(transport, '_reconnectionTimeout', {
    get: () => last,
    set: (timer: typeof last) => {
      last = timer;
      timer?.unref?.();
    },
  });
}

/** Streamable HTTP of revision 2026-07-28: without sessions and resumption. */
function openModernHttp(sdk: ModernSdk, config: McpHttpConfig, fetch: FetchLike): OpenedTransport {
  const transport = new sdk.StreamableHTTPClientTransport(new URL(config.url), {
    fetch: guardFetch(paceStreams(fetch), false),
    reconnectionScheduler,
  });
  return { transport };
}

/** A server that asks for a day of delay must not keep the process alive. */
function reconnectionScheduler(reconnect: () => void, ms: number): () => void {
  const timer = setTimeout(reconnect, ms > 0 ? timerMs(ms) : 0);
  timer.unref?.();
  return () => clearTimeout(timer);
}

async function openSse(config: McpHttpConfig, fetch: FetchLike): Promise<OpenedTransport> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js');
  return { transport: new SSEClientTransport(new URL(config.url), { fetch }) };
}

/**
 * Opens a stdio server through the module for this runtime, which the package's `imports` conditions choose. Some
 * bundlers for Workers claim to be Node. Then this module, or what it loads, fails to load, and the error explains
 * that.
 */
async function openStdioServer(config: McpStdioConfig): Promise<OpenedTransport> {
  try {
    const { openStdio } = await import('#mcp-stdio');
    return await openStdio(config);
  } catch (error) {
    if (ResponsesLoopError.isInstance(error)) throw error;
    const redactor = Redactor.of(() => secretsOfServer(config));
    throw new ResponsesLoopError({
      code: 'tool-source-unavailable',
      message: clean`Starting processes failed in this runtime (${redactor.text(errorText(error))}). Connect over HTTP (\`url\`) instead of \`command\`.`,
      cause: cleanCause(error, redactor),
    });
  }
}

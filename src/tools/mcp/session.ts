import { followAbort, raceAbort } from '../../util/abort.js';
import { ConnectTimeout } from './connect/connect-error.js';
import type { Observer } from '../../observe/event.js';
import type { McpConnection } from './connect/connection.js';
import type { OnElicitation } from './elicitation.js';
import type { SourceTool } from '../tool-source.js';
import { listMcpTools, type McpListing } from './list-tools.js';
import { openConnection } from './connect/open-connection.js';
import type { LoadModernSdk } from './modern/load-sdk.js';
import type { OpenTransport } from './connect/open-transport.js';
import type { ServerAccess } from './connect/server-access.js';
import type { McpLimits, McpServerConfig } from './server-config.js';
import type { ContextQueue } from '../../util/queues.js';
import { timerMs } from '../../util/timers.js';

/** How old a list may be whose server says neither when it changes nor how long it holds. */
const MAX_AGE_MS = 60_000;
/** How long a server that did not answer a listing is left alone. */
const PAUSE_MS = 30_000;

export interface McpSessionOptions {
  readonly key: string;
  readonly config: McpServerConfig;
  readonly access: ServerAccess;
  readonly open: OpenTransport;
  /** The SDK for revision 2026-07-28, where it is installed; absent where it is not to be used. */
  readonly loadModern?: LoadModernSdk | undefined;
  /** What the server may cost. */
  readonly limits: McpLimits;
  /** For connecting and the first listing together, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Answers the server's questions to a person; without it the server is told that nobody does. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Says which tools of a list are offered, where the app wants to know of changes. */
  readonly review?: ((listing: McpListing) => Promise<McpListing>) | undefined;
  /** Runs things in the asynchronous context of no call. */
  readonly outside: ContextQueue<() => void>;
  readonly observer?: Observer | undefined;
  readonly now: () => number;
}

/** A connection together with the tools that were listed over it. */
export interface McpSession {
  readonly connection: McpConnection;
  /** As last listed. */
  readonly tools: readonly SourceTool[];
  tool(name: string): SourceTool | undefined;
  /** Whether the server said that the tools have changed since, also while they are being listed again. */
  readonly isStale: boolean;
  /** How often its tools were listed. */
  readonly listings: number;
  /** Makes the next `refresh` list again. */
  markStale(): void;
  /** Lists again if the server said that something changed; callers at the same time share one listing. */
  refresh(): Promise<void>;
  takeWarnings(): readonly string[];
}

/** Connects, initialises and lists, all within the connect limit. `signal` ends it early and for good. */
export async function openMcpSession(options: McpSessionOptions, signal: AbortSignal): Promise<McpSession> {
  return withinLimit(options, signal, (limit) => connectAndList(options, limit, signal));
}

async function withinLimit<T>(
  { connectTimeoutMs }: McpSessionOptions,
  signal: AbortSignal,
  run: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const { controller, release } = followAbort(signal);
  const timer = setTimeout(
    () => controller.abort(new ConnectTimeout(`no answer within ${connectTimeoutMs} ms`)),
    timerMs(connectTimeoutMs),
  );
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}

async function connectAndList(
  options: McpSessionOptions,
  signal: AbortSignal,
  closing: AbortSignal,
): Promise<McpSession> {
  let session: McpSession | undefined;
  const { key, access, open, loadModern, onElicitation, outside, observer } = options;
  const connection = await openConnection(options.config, {
    ...{ key, access, open, loadModern, onElicitation, outside, observer },
    signal,
    timeoutMs: timerMs(options.connectTimeoutMs),
    onListChanged: () => session?.markStale(),
  });
  try {
    session = createSession(options, connection, await list(options, connection, signal), closing);
    return session;
  } catch (error) {
    await connection.close();
    throw signal.aborted ? signal.reason : error;
  }
}

function createSession(
  options: McpSessionOptions,
  connection: McpConnection,
  first: McpListing,
  closing: AbortSignal,
): McpSession {
  let { tools, ttlMs } = first;
  let byName = new Map(tools.map((tool) => [tool.name, tool]));
  let isStale = false;
  let listedAt = options.now();
  let listings = 1;
  let pausesUntil = 0;
  let refreshing: Promise<void> | undefined;
  const warnings = [...first.warnings];

  const relist = async (): Promise<void> => {
    isStale = false;
    listedAt = options.now();
    try {
      const listing = await withinLimit(options, closing, (limit) => list(options, connection, limit));
      ({ tools, ttlMs } = listing);
      byName = new Map(tools.map((tool) => [tool.name, tool]));
      warnings.push(...listing.warnings);
      listings += 1;
    } catch (error) {
      isStale = true;
      // Otherwise every call would wait for it anew.
      if (error instanceof ConnectTimeout) pausesUntil = options.now() + PAUSE_MS;
      throw error;
    } finally {
      refreshing = undefined;
    }
  };
  const isOld = (): boolean => options.now() - listedAt >= (ttlMs ?? (connection.tellsChanges ? Infinity : MAX_AGE_MS));
  return {
    connection,
    get tools() {
      return tools;
    },
    get isStale() {
      return isStale || refreshing !== undefined;
    },
    get listings() {
      return listings;
    },
    tool: (name) => byName.get(name),
    markStale() {
      isStale = true;
    },
    async refresh() {
      const wants = (isStale || isOld()) && options.now() >= pausesUntil;
      if (refreshing === undefined && wants) refreshing = relist();
      await refreshing;
    },
    takeWarnings: () => warnings.splice(0),
  };
}

/** A client of the app may take no notice of the signal. */
async function list(options: McpSessionOptions, connection: McpConnection, signal: AbortSignal): Promise<McpListing> {
  const { key: server, config, connectTimeoutMs, limits } = options;
  const listing = listMcpTools(connection, {
    server,
    config,
    limits,
    requestTimeoutMs: timerMs(connectTimeoutMs),
    signal,
  });
  const whole = await raceAbort(listing, signal);
  return options.review?.(whole) ?? whole;
}

import { raceAbort } from '../../util/abort.js';
import { ConnectTimeout } from './connect-error.js';
import type { Observer } from '../../observe/event.js';
import type { McpConnection } from './connection.js';
import type { OnElicitation } from './elicitation.js';
import { listMcpTools, type McpListing, type McpTool } from './list-tools.js';
import { openConnection } from './open-connection.js';
import type { OpenTransport } from './open-transport.js';
import type { McpSchemaValidator } from './schema-validator.js';
import type { ServerAccess } from './server-access.js';
import type { McpServerConfig } from './server-config.js';
import { timerMs } from '../../util/timer-ms.js';

/** How old the list of a server that does not tell changes may be. */
const MAX_AGE_MS = 60_000;

export interface McpSessionOptions {
  readonly key: string;
  readonly config: McpServerConfig;
  readonly access: ServerAccess;
  readonly open: OpenTransport;
  readonly validator: McpSchemaValidator;
  /** For connecting and the first listing together, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Answers the server's questions to a person; without it the server is told that nobody does. */
  readonly onElicitation?: OnElicitation | undefined;
  readonly observer?: Observer | undefined;
  readonly now: () => number;
}

/** A connection together with the tools that were listed over it. */
export interface McpSession {
  readonly connection: McpConnection;
  /** As last listed. */
  readonly tools: readonly McpTool[];
  tool(name: string): McpTool | undefined;
  /** Makes the next `refresh` list again. */
  markStale(): void;
  /** Lists again if the server said that something changed; callers at the same time share one listing. */
  refresh(): Promise<void>;
  takeWarnings(): readonly string[];
}

/** Connects, initialises and lists, all within the connect limit. `signal` ends it early and for good. */
export async function openMcpSession(options: McpSessionOptions, signal: AbortSignal): Promise<McpSession> {
  const limit = new AbortController();
  const { connectTimeoutMs } = options;
  const onAbort = (): void => limit.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => limit.abort(new ConnectTimeout(`no answer within ${connectTimeoutMs} ms`)),
    timerMs(connectTimeoutMs),
  );
  try {
    if (signal.aborted) onAbort();
    return await connectAndList(options, limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function connectAndList(options: McpSessionOptions, signal: AbortSignal): Promise<McpSession> {
  let session: McpSession | undefined;
  const { key, access, open, validator, onElicitation, observer } = options;
  const connection = await openConnection(options.config, {
    ...{ key, access, open, validator, onElicitation, observer },
    signal,
    timeoutMs: timerMs(options.connectTimeoutMs),
    onListChanged: () => session?.markStale(),
  });
  try {
    session = createSession(options, connection, await raceAbort(list(options, connection, signal), signal));
    return session;
  } catch (error) {
    await connection.close();
    throw signal.aborted ? signal.reason : error;
  }
}

function createSession(options: McpSessionOptions, connection: McpConnection, first: McpListing): McpSession {
  let { tools } = first;
  let byName = new Map(tools.map((tool) => [tool.name, tool]));
  let isStale = false;
  let listedAt = options.now();
  let refreshing: Promise<void> | undefined;
  const warnings = [...first.warnings];

  const relist = async (): Promise<void> => {
    isStale = false;
    listedAt = options.now();
    try {
      const listing = await list(options, connection, undefined);
      tools = listing.tools;
      byName = new Map(tools.map((tool) => [tool.name, tool]));
      warnings.push(...listing.warnings);
    } catch (error) {
      isStale = true;
      throw error;
    } finally {
      refreshing = undefined;
    }
  };
  const isOld = (): boolean => !connection.tellsChanges && options.now() - listedAt >= MAX_AGE_MS;
  return {
    connection,
    get tools() {
      return tools;
    },
    tool: (name) => byName.get(name),
    markStale() {
      isStale = true;
    },
    async refresh() {
      if (refreshing === undefined && (isStale || isOld())) refreshing = relist();
      await refreshing;
    },
    takeWarnings: () => warnings.splice(0),
  };
}

function list(
  options: McpSessionOptions,
  connection: McpConnection,
  signal: AbortSignal | undefined,
): Promise<McpListing> {
  return listMcpTools(connection, {
    server: options.key,
    config: options.config,
    requestTimeoutMs: timerMs(options.connectTimeoutMs),
    signal,
  });
}

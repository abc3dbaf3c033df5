import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { followAbort, raceAbort } from '../../util/abort.js';
import { MCP_CLIENT_INFO } from './client-info.js';
import { httpStatus } from './failure.js';
import type { FetchLike } from './guard-fetch.js';
import { transportKinds, type OpenedTransport, type OpenTransport, type TransportKind } from './open-transport.js';
import type { McpSchemaValidator } from './schema-validator.js';
import type { McpServerConfig } from './server-config.js';

const END_SESSION_MS = 1_000;
const PROBE_MS = 5_000;
/** Answers to the initialise POST that mean "not this URL for you", not "not this transport". */
const NOT_A_TRANSPORT_QUESTION: ReadonlySet<number | undefined> = new Set([401, 403, 407, 429]);

/** One initialised session with a server. Never reused after it was closed: a new one is made. */
export interface McpConnection {
  readonly kind: TransportKind;
  readonly hasTools: boolean;
  isOpen(): boolean;
  /** Sends a request; the result as it came, without the SDK's closed schemas. */
  request(method: string, params: Record<string, unknown>, options?: RequestOptions): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface OpenConnectionOptions {
  readonly config: McpServerConfig;
  readonly fetch: FetchLike;
  readonly open: OpenTransport;
  readonly validator: McpSchemaValidator;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onListChanged: () => void;
}

/** A failed connect, with what the process said about it. */
export class ConnectFailure extends Error {
  readonly detail: string;
  constructor(cause: unknown, detail: string) {
    super('connect failed', { cause });
    this.detail = detail;
  }
}

/** Connects and initialises; where the settings leave it open, SSE is tried after a 4xx, as the MCP specification says. */
export async function openConnection(options: OpenConnectionOptions): Promise<McpConnection> {
  const kinds = transportKinds(options.config);
  let first: unknown;
  for (const kind of kinds) {
    try {
      return await connect(kind, options);
    } catch (error) {
      first ??= error;
      if (options.signal.aborted || !wantsNextKind(error)) break;
    }
  }
  throw first;
}

function wantsNextKind(error: unknown): boolean {
  const status = httpStatus(error instanceof ConnectFailure ? error.cause : error);
  return status !== undefined && status >= 400 && status < 500 && !NOT_A_TRANSPORT_QUESTION.has(status);
}

async function connect(kind: TransportKind, options: OpenConnectionOptions): Promise<McpConnection> {
  const [{ Client }, { ResultSchema, ToolListChangedNotificationSchema }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const opened = await options.open(options.config, kind, options.fetch);
  const client = new Client(MCP_CLIENT_INFO, { capabilities: {}, jsonSchemaValidator: options.validator });
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  client.onerror = (error) => {
    void closeIfLost(kind, error, client);
  };
  client.setNotificationHandler(ToolListChangedNotificationSchema, options.onListChanged);
  try {
    await raceAbort(client.connect(opened.transport, { timeout: options.timeoutMs }), options.signal);
  } catch (error) {
    const detail = opened.failureDetail?.() ?? '';
    await closeQuietly(client, opened);
    throw new ConnectFailure(error, detail);
  }
  return {
    kind,
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    isOpen: () => isOpen,
    request: async (method, params, requestOptions) => {
      // The SDK never takes its listener off the signal it is given; this one lives as long as the request.
      const { controller, release } = followAbort(requestOptions?.signal);
      try {
        return await client.request({ method, params }, ResultSchema, { ...requestOptions, signal: controller.signal });
      } finally {
        release();
      }
    },
    close: () => {
      isOpen = false;
      return closeQuietly(client, opened);
    },
  };
}

interface Closable {
  close(): Promise<void>;
  ping(options: RequestOptions): Promise<unknown>;
}

/**
 * The SDK reports a broken stream but leaves the requests on it waiting. An SSE session is over with its stream; over
 * streamable HTTP the listening stream may be refused while calls still work, so the server is asked.
 */
async function closeIfLost(kind: TransportKind, error: Error, client: Closable): Promise<void> {
  if (kind === 'sse' && error.message.startsWith('SSE error')) return ignore(client.close());
  if (kind !== 'http' || !error.message.startsWith('Maximum reconnection attempts')) return;
  try {
    await client.ping({ timeout: PROBE_MS });
  } catch {
    await ignore(client.close());
  }
}

async function closeQuietly(client: { close(): Promise<void> }, opened: OpenedTransport): Promise<void> {
  if (opened.endSession !== undefined) await within(END_SESSION_MS, opened.endSession());
  await ignore(client.close());
  // A client that never got as far as connecting does not know its transport.
  await ignore(opened.transport.close());
}

async function ignore(promise: Promise<unknown>): Promise<void> {
  try {
    await promise;
  } catch {
    // There is nobody left to tell.
  }
}

async function within(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([ignore(promise), limit]);
  clearTimeout(timer);
}

import { raceAbort, withSignal } from '../../util/abort.js';
import { ConnectTimeout } from './connect/connect-error.js';
import type { McpConnection, OpenConnectionOptions } from './connect/connection.js';
import type { SourceTool } from '../tool-source.js';
import { listMcpTools, type ListOptions, type McpListing } from './list-tools.js';
import { openOwnConnection } from './connect/own-connection.js';
import { openReadyConnection } from './connect/ready-connection.js';
import { isClientConfig, type McpServerConfig } from './server-config.js';

/** Maximum age of a list whose server announces neither changes nor a validity. */
const MAX_AGE_MS = 60_000;
/** How long a server is not listed again after it did not answer a listing. */
const PAUSE_MS = 30_000;

export interface McpSessionOptions
  extends Omit<OpenConnectionOptions, 'signal' | 'onListChanged' | 'showsApps'>, ListOptions {
  readonly config: McpServerConfig;
  /** Decides which tools of a changed list are offered, if the app reviews changes. */
  readonly review?: ((listing: McpListing) => Promise<McpListing>) | undefined;
  readonly now: () => number;
}

/** A connection together with the tools that it listed. */
export class McpSession {
  readonly connection: McpConnection;
  /** The tools of the last listing. */
  tools: readonly SourceTool[] = [];
  /** Leaves out tools that are for pages alone; the same array until the next listing. */
  forModel: readonly SourceTool[] = [];
  /** Warnings of the listings; the reader removes them. */
  readonly warnings: string[] = [];
  /** True if the server announced a change since the last listing began. */
  isStale = false;
  /** The number of listings. */
  listings = 0;
  readonly #options: McpSessionOptions;
  readonly #closing: AbortSignal;
  #ttlMs: number | undefined;
  #listedAt = 0;
  #pausesUntil = 0;
  /** True if the server announced another change during a listing. */
  #isStaleAgain = false;
  #refreshing: Promise<void> | undefined;

  constructor(options: McpSessionOptions, connection: McpConnection, closing: AbortSignal) {
    this.connection = connection;
    this.#options = options;
    this.#closing = closing;
  }

  tool(name: string): SourceTool | undefined {
    return this.tools.findLast((tool) => tool.name === name);
  }

  /** Makes the next `refresh` list again. */
  markStale(): void {
    this.isStale = true;
    this.#isStaleAgain = true;
  }

  /** Lists again after a change; concurrent callers share one listing. */
  async refresh(): Promise<void> {
    if (this.#refreshing === undefined) {
      const now = this.#options.now();
      const maxAgeMs = this.#ttlMs ?? (this.connection.notifiesChanges ? Infinity : MAX_AGE_MS);
      const isOld = this.isStale || now - this.#listedAt >= maxAgeMs;
      if (isOld && now >= this.#pausesUntil) this.#refreshing = this.#relist();
    }
    await this.#refreshing;
  }

  async list(signal: AbortSignal): Promise<void> {
    const { now, review } = this.#options;
    this.#listedAt = now();
    // A client of the app may ignore the signal.
    const whole = await raceAbort(listMcpTools(this.connection, this.#options, signal), signal);
    const { tools, ttlMs, warnings } = (await review?.(whole)) ?? whole;
    this.tools = tools;
    this.forModel = tools.filter(({ audience }) => audience !== 'apps');
    this.#ttlMs = ttlMs;
    this.warnings.push(...warnings);
    this.listings += 1;
  }

  async #relist(): Promise<void> {
    this.isStale = true;
    this.#isStaleAgain = false;
    try {
      await withinLimit(this.#options, this.#closing, (limit) => this.list(limit));
    } catch (error) {
      this.#isStaleAgain = true;
      // Without the pause, every call would wait for the listing again.
      if (error instanceof ConnectTimeout) this.#pausesUntil = this.#options.now() + PAUSE_MS;
      throw error;
    } finally {
      this.#refreshing = undefined;
      this.isStale = this.#isStaleAgain;
    }
  }
}

/** Connects, initializes and lists within the connect limit. `closing` ends it early and for good. */
export async function openMcpSession(options: McpSessionOptions, closing: AbortSignal): Promise<McpSession> {
  return withinLimit(options, closing, async (signal) => {
    let listed: McpSession | undefined;
    const { config } = options;
    const opening = { ...options, signal, showsApps: config.apps, onListChanged: () => listed?.markStale() };
    const connection = isClientConfig(config)
      ? openReadyConnection(config.client, opening)
      : await openOwnConnection(config, opening);
    const session = new McpSession(options, connection, closing);
    try {
      await session.list(signal);
    } catch (error) {
      await connection.close();
      throw signal.aborted ? signal.reason : error;
    }
    listed = session;
    return session;
  });
}

async function withinLimit<T>(
  { connectTimeoutMs: ms }: McpSessionOptions,
  closing: AbortSignal,
  run: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  return withSignal([closing], run, { ms, error: new ConnectTimeout(`no answer within ${ms} ms`) });
}

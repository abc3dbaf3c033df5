import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import type { Observer } from '../../observe/event.js';
import { notify } from '../../observe/notify.js';
import { connectError } from './connect-error.js';
import { openMcpSession, type McpSession, type McpSessionOptions } from './session.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export interface SessionKeeperOptions extends McpSessionOptions {
  readonly now: () => number;
  readonly observer?: Observer | undefined;
}

/**
 * The one session a server has at a time: opened when first wanted, shared by everybody who wants it meanwhile, opened anew
 * after it was lost, and left alone for a growing pause after it could not be opened.
 */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  readonly #closing = new AbortController();
  /** Sessions on their way out; closing waits for them. */
  readonly #leaving = new Set<Promise<void>>();
  #opening: Promise<McpSession> | undefined;
  #session: McpSession | undefined;
  #failures = 0;
  #failed: { readonly error: Error; readonly retryAt: number } | undefined;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Rejects with the reason of the last failure while the pause after it lasts. */
  async get(): Promise<McpSession> {
    if (this.isClosed) throw closedError();
    if (this.#session !== undefined) {
      if (this.#session.connection.isOpen()) return this.#session;
      this.drop(this.#session);
    }
    if (this.#opening !== undefined) return this.#opening;
    if (this.#failed !== undefined && this.#options.now() < this.#failed.retryAt) throw this.#failed.error;
    this.#opening = this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Gives up a session that turned out to be lost; if a newer one is there already, nothing happens. */
  drop(session: McpSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#retire(session);
  }

  async close(): Promise<void> {
    this.#closing.abort(closedError());
    // Opening gives up on its own now, and closes what it had begun.
    await this.#opening?.catch(() => {});
    if (this.#session !== undefined) this.drop(this.#session);
    await Promise.all(this.#leaving);
  }

  async #open(): Promise<McpSession> {
    const { now, observer, key } = this.#options;
    const startedAt = now();
    let session: McpSession;
    try {
      session = await openMcpSession(this.#options, this.#closing.signal);
    } catch (error) {
      throw this.isClosed ? closedError() : this.#noteFailure(error);
    }
    if (this.isClosed) {
      this.#retire(session);
      throw closedError();
    }
    this.#session = session;
    this.#failures = 0;
    this.#failed = undefined;
    const durationMs = now() - startedAt;
    notify(observer, () => ({ type: 'mcp-connect', server: key, durationMs, tools: session.tools.length }));
    return session;
  }

  #noteFailure(cause: unknown): Error {
    const { key, config, now, observer } = this.#options;
    const error = connectError(key, config, cause);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failed = { error, retryAt: now() + pause };
    this.#failures += 1;
    notify(observer, () => ({ type: 'mcp-error', server: key, message: error.message }));
    return error;
  }

  #retire(session: McpSession): void {
    const gone: Promise<void> = session.connection.close().finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }
}

function closedError(): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'closed', message: 'The provider was closed.' });
}

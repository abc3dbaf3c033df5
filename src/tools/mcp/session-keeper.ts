import { providerClosed } from '../../errors/provider-closed.js';
import { raceAbort } from '../../util/abort.js';
import { notify } from '../../observe/notify.js';
import { connectError } from './connect/connect-error.js';
import { withTimeout } from '../../util/timers.js';
import { openMcpSession, type McpSession, type McpSessionOptions } from './session.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** How long the app's code may take to tell whether an early retry makes sense. */
const MARK_MS = 3_000;

interface Failed {
  readonly error: Error;
  /** Failures in a row. */
  readonly times: number;
  readonly retryAt: number;
  /** A change of this value ends the pause. */
  readonly mark: unknown;
}

/**
 * Keeps at most one session of a server. It opens the session on demand, shares it, reopens it after a loss, and pauses
 * longer after each failure to open it.
 */
export class SessionKeeper {
  readonly options: McpSessionOptions;
  readonly #closer = new AbortController();
  /** Fires when the provider is closed. */
  readonly closing = this.#closer.signal;
  /** Sessions that are closing; `close()` waits for them. */
  readonly #leaving = new Set<Promise<void>>();
  #opening: Promise<McpSession> | undefined;
  #session: McpSession | undefined;
  #failed: Failed | undefined;
  #marking: Promise<unknown> | undefined;

  constructor(options: McpSessionOptions) {
    this.options = options;
  }

  get isClosed(): boolean {
    return this.closing.aborted;
  }

  /** Rejects with the last failure while the pause after it lasts. */
  async get(): Promise<McpSession> {
    if (this.closing.aborted) throw providerClosed();
    if (this.#session !== undefined) {
      if (this.#session.connection.isOpen()) return this.#session;
      this.drop(this.#session);
    }
    const failed = this.#failed;
    if (this.#opening === undefined && failed !== undefined && (await this.#isPausing(failed))) {
      throw this.isClosed ? providerClosed() : failed.error;
    }
    // Another caller may have progressed while this one waited.
    if (this.#failed !== failed || this.#session !== undefined || this.isClosed) return this.get();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Returns the session if it is open. */
  peek(): McpSession | undefined {
    return this.#session?.connection.isOpen() === true ? this.#session : undefined;
  }

  /** Drops a session that was lost, unless a newer one has replaced it. */
  drop(session: McpSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#retire(session);
  }

  async close(): Promise<void> {
    this.#closer.abort(providerClosed());
    // Opening stops by itself now and closes what it began.
    await this.#opening?.catch(() => {});
    if (this.#session !== undefined) this.drop(this.#session);
    await Promise.all(this.#leaving);
  }

  async #open(): Promise<McpSession> {
    const { now, observer, key } = this.options;
    const startedAt = now();
    // Asked before opening: a change during the failure then counts as a reason to retry.
    const mark = this.#mark();
    let session: McpSession;
    try {
      session = await openMcpSession(this.options, this.closing);
    } catch (error) {
      const before = await mark;
      throw this.isClosed ? providerClosed() : this.#noteFailure(error, before);
    }
    if (this.isClosed) {
      this.#retire(session);
      throw providerClosed();
    }
    this.#session = session;
    this.#failed = undefined;
    const durationMs = now() - startedAt;
    notify(observer, () => ({ type: 'mcp-connect', server: key, durationMs, tools: session.forModel.length }));
    return session;
  }

  async #isPausing({ retryAt, mark }: Failed): Promise<boolean> {
    if (this.options.now() >= retryAt) return false;
    const current = await this.#mark();
    // A closed client and missing tokens are no reason to retry.
    return current === undefined || current === mark;
  }

  /** Returns a value that changes if an early retry makes sense. The app's code may never answer; then `undefined`. */
  async #mark(): Promise<unknown> {
    if (this.#marking === undefined) {
      const { access, connectTimeoutMs } = this.options;
      const late = (): Error => new Error('no answer in time');
      const asked = access.mark();
      this.#marking = withTimeout(raceAbort(asked, this.closing), Math.min(connectTimeoutMs, MARK_MS), late);
      const forget = (): void => {
        this.#marking = undefined;
      };
      asked.then(forget, forget);
    }
    return this.#marking.catch(() => undefined);
  }

  #noteFailure(cause: unknown, mark: unknown): Error {
    const { key, config, access, now, observer } = this.options;
    const error = connectError(key, config, cause, access.redactor);
    const times = (this.#failed?.times ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (times - 1), LONGEST_PAUSE_MS);
    this.#failed = { error, times, retryAt: now() + pause, mark };
    notify(observer, () => ({ type: 'mcp-error', server: key, message: error.message }));
    return error;
  }

  /**
   * Running calls keep the old session until they end. Closing it at once would turn "the session is gone" (safe to
   * retry) into "connection closed" (effect unknown).
   */
  #retire(session: McpSession): void {
    const { activeCalls } = session.connection;
    const gone: Promise<void> = activeCalls
      .whenIdle(this.closing)
      .then(() => session.connection.close())
      .finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }
}

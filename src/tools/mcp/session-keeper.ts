import { providerClosed } from '../../errors/provider-closed.js';
import { raceAbort } from '../../util/abort.js';
import { notify } from '../../observe/notify.js';
import { connectError } from './connect/connect-error.js';
import { withTimeout } from '../../util/timers.js';
import { openMcpSession, type McpSession, type McpSessionOptions } from './session.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** How long the app's own code may take to say whether trying again early makes sense. */
const MARK_MS = 3_000;

interface Failed {
  readonly error: Error;
  /** How often in a row. */
  readonly times: number;
  readonly retryAt: number;
  /** When it changes, the pause is over. */
  readonly mark: unknown;
}

/**
 * The one session a server has at a time: opened when first wanted, shared by everybody who wants it meanwhile, opened anew
 * after it was lost, and left alone for a growing pause after it could not be opened.
 */
export class SessionKeeper {
  readonly options: McpSessionOptions;
  readonly #closer = new AbortController();
  /** Fires when the provider is closed. */
  readonly closing = this.#closer.signal;
  /** Sessions on their way out; closing waits for them. */
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

  /** Rejects with the reason of the last failure while the pause after it lasts. */
  async get(): Promise<McpSession> {
    if (this.isClosed) throw providerClosed();
    if (this.#session !== undefined) {
      if (this.#session.connection.isOpen()) return this.#session;
      this.drop(this.#session);
    }
    const failed = this.#failed;
    if (this.#opening === undefined && failed !== undefined && (await this.#isPausing(failed))) {
      throw this.isClosed ? providerClosed() : failed.error;
    }
    // Somebody else may have got further while the question was open.
    if (this.#failed !== failed || this.#session !== undefined || this.isClosed) return this.get();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** The session, if it is there and open. */
  peek(): McpSession | undefined {
    return this.#session?.connection.isOpen() === true ? this.#session : undefined;
  }

  /** Gives up a session that turned out to be lost; if a newer one is there already, nothing happens. */
  drop(session: McpSession): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#retire(session);
  }

  async close(): Promise<void> {
    this.#closer.abort(providerClosed());
    // Opening gives up on its own now, and closes what it had begun.
    await this.#opening?.catch(() => {});
    if (this.#session !== undefined) this.drop(this.#session);
    await Promise.all(this.#leaving);
  }

  async #open(): Promise<McpSession> {
    const { now, observer, key } = this.options;
    const startedAt = now();
    // Asked before, because an answer that comes while it fails is one to try again for.
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
    notify(observer, () => ({ type: 'mcp-connect', server: key, durationMs, tools: session.tools.length }));
    return session;
  }

  async #isPausing({ retryAt, mark }: Failed): Promise<boolean> {
    if (this.options.now() >= retryAt) return false;
    const current = await this.#mark();
    // A client that was closed, or tokens that are gone, are no reason to hope.
    return current === undefined || current === mark;
  }

  /**
   * The state that decides whether trying again early makes sense. The app's own code gives it, and may never answer: what is
   * not known in time is `undefined`; the same answer is waited for only once.
   */
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
   * Calls that still run over it end in their own time: closing at once would turn "the session is gone", which each
   * of them is about to get from the server, into "connection closed", which says nothing about whether they took effect.
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

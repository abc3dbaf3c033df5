import { providerClosed } from '../../errors/provider-closed.js';
import { raceAbort } from '../../util/abort.js';
import { notify } from '../../observe/notify.js';
import { connectError } from './connect/connect-error.js';
import type { ServerAccess } from './connect/server-access.js';
import { withTimeout } from '../../util/timers.js';
import { openMcpSession, type McpSession, type McpSessionOptions } from './session.js';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

interface Failed {
  readonly error: Error;
  readonly retryAt: number;
  /** When it changes, the pause is over. */
  readonly mark: unknown;
}

/**
 * The one session a server has at a time: opened when first wanted, shared by everybody who wants it meanwhile, opened anew
 * after it was lost, and left alone for a growing pause after it could not be opened.
 */
export class SessionKeeper {
  readonly #options: McpSessionOptions;
  /** Fires when the provider is closed. */
  readonly closing: AbortSignal;
  readonly #closer = new AbortController();
  readonly #readiness: Readiness;
  /** Sessions on their way out; closing waits for them. */
  readonly #leaving = new Set<Promise<void>>();
  #opening: Promise<McpSession> | undefined;
  #session: McpSession | undefined;
  #failures = 0;
  #failed: Failed | undefined;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.closing = this.#closer.signal;
    this.#readiness = new Readiness(options, this.closing);
  }

  get isClosed(): boolean {
    return this.closing.aborted;
  }

  /** Rejects with the reason of the last failure while the pause after it lasts. */
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
    const { now, observer, key } = this.#options;
    const startedAt = now();
    // Asked before, because an answer that comes while it fails is one to try again for.
    const mark = this.#readiness.mark();
    let session: McpSession;
    try {
      session = await openMcpSession(this.#options, this.closing);
    } catch (error) {
      const before = await mark;
      throw this.isClosed ? providerClosed() : this.#noteFailure(error, before);
    }
    if (this.isClosed) {
      this.#retire(session);
      throw providerClosed();
    }
    this.#session = session;
    this.#failures = 0;
    this.#failed = undefined;
    const durationMs = now() - startedAt;
    notify(observer, () => ({ type: 'mcp-connect', server: key, durationMs, tools: session.tools.length }));
    return session;
  }

  async #isPausing({ retryAt, mark }: Failed): Promise<boolean> {
    if (this.#options.now() >= retryAt) return false;
    const current = await this.#readiness.mark();
    // A client that was closed, or tokens that are gone, are no reason to hope.
    return current === undefined || current === mark;
  }

  #noteFailure(cause: unknown, mark: unknown): Error {
    const { key, config, access, now, observer } = this.#options;
    const error = connectError(key, config, cause, access.redactor);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failed = { error, retryAt: now() + pause, mark };
    this.#failures += 1;
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

const MAX_MS = 3_000;

/**
 * The state that decides whether trying again early makes sense. The app's own code gives it, and may never answer: what is
 * not known in time is `undefined`; the same answer is waited for only once.
 */
class Readiness {
  readonly #access: ServerAccess;
  readonly #limitMs: number;
  readonly #closing: AbortSignal;
  #asked: Promise<unknown> | undefined;
  #isLate = false;

  constructor({ access, connectTimeoutMs }: McpSessionOptions, closing: AbortSignal) {
    this.#access = access;
    this.#limitMs = Math.min(connectTimeoutMs, MAX_MS);
    this.#closing = closing;
  }

  async mark(): Promise<unknown> {
    this.#asked ??= this.#access.mark().finally(() => {
      this.#asked = undefined;
      this.#isLate = false;
    });
    if (this.#isLate) return undefined;
    const late = (): Error => {
      this.#isLate = true;
      return new Error('no answer in time');
    };
    try {
      return await withTimeout(raceAbort(this.#asked, this.#closing), this.#limitMs, late);
    } catch {
      return undefined;
    }
  }
}

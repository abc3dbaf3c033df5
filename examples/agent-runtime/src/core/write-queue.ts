import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, OnPersistError, SessionData } from '../types/persister.js';
import { AgentError } from './agent-error.js';

/** Failures in a row before the warning, and before attempts become rare. */
const FAILURES_BEFORE_WARNING = 5;
const SOON_MS = 200;
const LATER_MS = 5000;
const MAX_ROWS = 10_000;

export interface WriteQueueOptions {
  readonly sessionId: string;
  readonly persister: AgentPersister | undefined;
  readonly onPersistError: OnPersistError | undefined;
  readonly onWarning: ((sentence: string) => void) | undefined;
  /** The session as it is to be kept now. */
  readonly session: () => SessionData;
  /** Another process deleted the session. */
  readonly onDeleted: () => void;
}

/** A row, or the word that the session itself is to be saved as it is by then. */
type Job = StoredMessage | 'session';

/**
 * Writes a session's rows one after the other, in their order. A row that cannot be written now is tried again, and the
 * rows behind it wait, so that what is kept never has a gap.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #jobs: Job[] = [];
  #lost: StoredMessage[] = [];
  #failures = 0;
  #isWriting = false;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastError: unknown;
  #waiters: (() => void)[] = [];

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#jobs.length === 0;
  }

  addMessage(message: StoredMessage): void {
    if (this.#isClosed || this.#options.persister === undefined) return;
    if (this.#jobs.length >= MAX_ROWS) {
      this.#lose(message, new AgentError('persist_failed', `More than ${MAX_ROWS} rows wait to be written.`));
      return;
    }
    this.#add(message);
  }

  addSession(): void {
    if (this.#isClosed || this.#options.persister === undefined) return;
    // Saved as it is when its turn comes, so once is enough.
    if (this.#jobs.at(-1) !== 'session' || (this.#isWriting && this.#jobs.length === 1)) this.#add('session');
  }

  /** Resolves when everything is written, when an attempt has failed, or after this long. */
  async settled(withinMs: number): Promise<void> {
    if (this.#jobs.length === 0 || this.#failures > 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([patience, this.#nextRest()]);
    clearTimeout(timer);
  }

  /** Tries all that waits once more, now. Throws what could not be kept. */
  async flush(): Promise<void> {
    while (this.#isWriting) {
      await this.#nextRest();
    }
    if (this.#jobs.length > 0) {
      const rest = this.#nextRest();
      this.#start();
      await rest;
    }
    const unkept = [...this.#lost, ...this.#jobs.filter((job) => job !== 'session')];
    this.#lost = [];
    if (unkept.length === 0 && this.#jobs.length === 0) return;
    const what = unkept.length === 0 ? 'the session' : `${unkept.length} rows`;
    throw new AgentError('persist_failed', `Could not keep ${what} of ${this.#options.sessionId}.`, {
      cause: this.#lastError,
      messages: unkept,
    });
  }

  /** Forgets what waits, and takes nothing more. */
  drop(): void {
    this.#isClosed = true;
    this.#jobs = [];
    this.#lost = [];
    clearTimeout(this.#timer);
    this.#rest();
  }

  #add(job: Job): void {
    this.#jobs.push(job);
    // While attempts fail, the timer says when the next one is.
    if (!this.#isWriting && this.#failures === 0) this.#start();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#isWriting = true;
    void this.#write();
  }

  async #write(): Promise<void> {
    for (let job = this.#jobs[0]; job !== undefined && this.#isWriting; job = this.#jobs[0]) {
      try {
        await this.#save(job);
        if (this.#jobs[0] === job) this.#jobs.shift();
        this.#failures = 0;
      } catch (error) {
        if (!this.#skips(error, job)) break;
      }
    }
    this.#isWriting = false;
    this.#rest();
  }

  async #save(job: Job): Promise<void> {
    const { persister, sessionId, session } = this.#options;
    await (job === 'session' ? persister?.saveSession(session()) : persister?.saveMessage(sessionId, job));
  }

  /** Takes the failure in; says whether the next row may be written. */
  #skips(error: unknown, job: Job): boolean {
    if (this.#isClosed) return false;
    this.#lastError = error;
    const code = error instanceof AgentError ? error.code : undefined;
    if (code === 'session_deleted') {
      this.drop();
      this.#options.onDeleted();
      return false;
    }
    // What is left was said to be lost when the database was closed.
    if (code === 'disposed') {
      this.drop();
      return false;
    }
    if (code === 'persist_failed' && job !== 'session') {
      this.#jobs.shift();
      this.#lose(job, error);
      return true;
    }
    this.#failures += 1;
    this.#report(error, job === 'session' ? undefined : job);
    if (this.#failures === FAILURES_BEFORE_WARNING) {
      this.#options.onWarning?.(
        `Session ${this.#options.sessionId} cannot be written (${String(error)}); it goes on, and what waits is tried again.`,
      );
    }
    this.#timer = setTimeout(() => this.#start(), this.#failures < FAILURES_BEFORE_WARNING ? SOON_MS : LATER_MS);
    (this.#timer as { unref?: () => void }).unref?.();
    return false;
  }

  #lose(message: StoredMessage, error: unknown): void {
    this.#lastError = error;
    this.#lost.push(message);
    this.#report(error, message);
  }

  #report(error: unknown, message?: StoredMessage): void {
    try {
      this.#options.onPersistError?.(error, message);
    } catch {
      // A callback that throws must not stop the writing.
    }
  }

  #nextRest(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #rest(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resume of waiters) resume();
  }
}

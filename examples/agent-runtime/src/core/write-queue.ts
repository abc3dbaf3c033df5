import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, OnPersistError, SessionData } from '../types/persister.js';
import { AgentError } from './agent-error.js';

/** Failures in a row before the warning, and before attempts become rare. */
const FAILURES_BEFORE_WARNING = 5;
const SOON_MS = 200;
const LATER_MS = 5000;
const MAX_ROWS = 10_000;
/** How long a text waits for what follows it, such as the end of the turn: both are written together. */
const GATHER_MS = 20;

export interface WriteQueueOptions {
  readonly sessionId: string;
  readonly persister: AgentPersister | undefined;
  readonly onPersistError: OnPersistError | undefined;
  readonly onWarning: ((sentence: string) => void) | undefined;
  /** The session as it is to be kept now. */
  readonly session: () => SessionData;
  /** Another process deleted the session. */
  readonly onDeleted: () => void;
  /** Another process has the session. What is not kept of it begins at this place, if there is such a row. */
  readonly onLost: (error: AgentError, firstSeq: number | undefined) => void;
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
  /** How many jobs are being written. */
  #underWay = 0;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastError: unknown;
  /** Rows that were refused in one write with others are written one by one. */
  #isAlone = false;
  /** Why nothing more of this turn may be written. */
  #loss: AgentError | undefined;
  #waiters: (() => void)[] = [];

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#jobs.length === 0;
  }

  /** Nothing waits, and nothing was lost that nobody was told of. */
  get isAtRest(): boolean {
    return this.isEmpty && this.#lost.length === 0;
  }

  addMessage(message: StoredMessage): void {
    if (this.#isClosed || this.#options.persister === undefined) return;
    if (this.#loss !== undefined) {
      this.#lose(message, this.#loss);
      return;
    }
    if (this.#jobs.length >= MAX_ROWS) {
      this.#lose(message, new AgentError('persist_failed', `More than ${MAX_ROWS} rows wait to be written.`));
      return;
    }
    this.#add(message, isText(message));
  }

  addSession(): void {
    if (this.#isClosed || this.#loss !== undefined || this.#options.persister === undefined) return;
    // Saved as it is when its turn comes, so once is enough.
    if (this.#jobs.at(-1) !== 'session' || (this.#isWriting && this.#jobs.length === this.#underWay))
      this.#add('session');
  }

  /** The session is this process's own, again or for the first time. */
  begin(): void {
    this.#loss = undefined;
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

  #add(job: Job, mayWait = false): void {
    this.#jobs.push(job);
    // While attempts fail, the timer says when the next one is.
    if (this.#isWriting || this.#failures > 0) return;
    if (mayWait) this.#gather();
    else this.#start();
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => this.#start(), GATHER_MS);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWriting = true;
    void this.#write();
  }

  async #write(): Promise<void> {
    for (let job = this.#jobs[0]; job !== undefined && this.#isWriting; job = this.#jobs[0]) {
      const together = this.#together();
      this.#underWay = together.length + 1;
      try {
        await this.#save(job, together);
        // What was dropped meanwhile is not there any more.
        if (this.#jobs[0] === job) this.#jobs.splice(0, this.#underWay);
        this.#failures = 0;
        this.#isAlone = false;
        if (this.#jobs.length === 1 && isText(this.#jobs[0])) {
          this.#isWriting = false;
          this.#gather();
          return;
        }
      } catch (error) {
        if (!this.#skips(error, job, together.length > 0)) break;
      }
    }
    this.#isWriting = false;
    this.#rest();
  }

  /** The rows that are written with the session that follows them; none, if they are written by themselves. */
  #together(): StoredMessage[] {
    const end = this.#jobs.indexOf('session');
    if (end < 1 || this.#isAlone || this.#options.persister?.saveTurn === undefined) return [];
    return this.#jobs.slice(0, end) as StoredMessage[];
  }

  async #save(job: Job, together: StoredMessage[]): Promise<void> {
    const { persister, sessionId, session } = this.#options;
    if (together.length > 0) return persister?.saveTurn?.(session(), together);
    await (job === 'session' ? persister?.saveSession(session()) : persister?.saveMessage(sessionId, job));
  }

  /** Takes the failure in; says whether the next row may be written. */
  #skips(error: unknown, job: Job, isTogether: boolean): boolean {
    if (this.#isClosed) return false;
    this.#lastError = error;
    const code = error instanceof AgentError ? error.code : undefined;
    if (code === 'session_lost') {
      this.#giveUp(error as AgentError);
      return false;
    }
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
      if (isTogether) {
        this.#isAlone = true;
        return true;
      }
      this.#jobs.shift();
      this.#lose(job, error);
      return true;
    }
    this.#failures += 1;
    this.#report(error, job === 'session' ? undefined : job);
    if (this.#failures === FAILURES_BEFORE_WARNING) {
      this.#options.onWarning?.(
        `Session ${this.#options.sessionId} cannot be written (${String(error)}); the session continues, and the write will be retried.`,
      );
    }
    this.#timer = setTimeout(() => this.#start(), this.#failures < FAILURES_BEFORE_WARNING ? SOON_MS : LATER_MS);
    (this.#timer as { unref?: () => void }).unref?.();
    return false;
  }

  /** Hands over what waits as lost: it must not come among what another process writes. */
  #giveUp(error: AgentError): void {
    const rows = this.#jobs.filter((job) => job !== 'session');
    this.#jobs = [];
    this.#failures = 0;
    this.#loss = error;
    for (const row of rows) this.#lose(row, error);
    this.#options.onLost(error, rows[0]?.seq);
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

function isText(job: Job | undefined): boolean {
  return typeof job === 'object' && job.type === 'agent';
}

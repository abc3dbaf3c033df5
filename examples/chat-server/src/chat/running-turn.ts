import type { TurnAttempt } from 'responses-loop-example-shared/engine/types.js';
import type { QueueTurnEnd } from '../queue/message-queue.js';
import type { ChatChunk } from '../types.js';
import type { Failure } from './describe-error.js';

export interface RunningTurnOptions {
  readonly sessionId: string;
  /** Milliseconds that a turn runs on when nobody listens any more; 0: not at all. */
  readonly graceMs: number;
  readonly onEnd?: () => void;
  /** How much of it is kept for listeners that come late. Default: 32 million characters. */
  readonly maxChars?: number;
}

const MAX_CHARS = 32_000_000;
/** Chunks that a client may take for the end. */
export const ENDINGS: ReadonlySet<string> = new Set(['finish', 'abort', 'error']);

/** Why a turn was aborted, as the `abort` chunk says it. */
export type AbortCause =
  | 'stopped'
  | 'no client was connected'
  | 'the server ends'
  | 'the chat was deleted'
  | 'its output was too long'
  | 'another server may have the chat'
  | 'store failed';

const TOO_LONG: Failure = {
  code: 'turn_too_long',
  message:
    "This turn was stopped because its output exceeded the server's limit. The output up to that point is stored.",
};

/** Where the chunks of a turn are kept, so that it can go on elsewhere. */
export type TurnRecord = Pick<TurnAttempt, 'id' | 'emit' | 'held' | 'over'>;

/** A turn while it runs: its chunks from the first on, for any number of listeners. */
export class RunningTurn {
  readonly sessionId: string;
  readonly #graceMs: number;
  readonly #onEnd: (() => void) | undefined;
  readonly #maxChars: number;
  readonly #chunks: string[] = [];
  readonly #held: string[] = [];
  #chars = 0;
  #failure: Failure | undefined;
  readonly #abort = new AbortController();
  readonly #wakers = new Set<() => void>();
  #wakeup: ReturnType<typeof setImmediate> | undefined;
  readonly #whenEnded: Promise<void>;
  #settle: () => void = () => {};
  #listeners = 0;
  /** It says nothing more. */
  #isOver = false;
  #isClosed = false;
  #outcome: QueueTurnEnd = 'cut';
  #grace: ReturnType<typeof setTimeout> | undefined;
  #record: TurnRecord | undefined;
  #isLost = false;

  constructor({ sessionId, graceMs, onEnd, maxChars = MAX_CHARS }: RunningTurnOptions) {
    this.#maxChars = maxChars;
    this.#onEnd = onEnd;
    this.sessionId = sessionId;
    this.#graceMs = graceMs;
    this.#whenEnded = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get listeners(): number {
    return this.#listeners;
  }

  /** Settles when the turn is over and what it said is stored. */
  get ended(): Promise<void> {
    return this.#whenEnded;
  }

  /** What it came to: whoever runs it says so before its end, or it was cut. */
  get outcome(): QueueTurnEnd {
    return this.#outcome;
  }

  cameTo(outcome: QueueTurnEnd): void {
    this.#outcome = outcome;
  }

  /** The id of what keeps it, if something does. */
  get recordId(): string | undefined {
    return this.#record?.id;
  }

  /** Another instance may have the chat: nothing of this turn may be stored any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Before it says anything. It is over once its record is, and lost if that is lost. */
  keepIn(record: TurnRecord): void {
    this.#record = record;
    void record.over.then((how) => (how === 'lost' ? this.lose() : this.#close()));
  }

  /** Resolves if it may go on with what acts: never, if another instance has it. */
  async mayAct(): Promise<void> {
    await this.#record?.held();
  }

  /** Its instance has lost the chat, or gives it away: what it says from now on is heard and stored by nobody. */
  lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.abort('another server may have the chat');
    this.#isOver = true;
    this.#close();
  }

  /** From now on somebody should listen: whoever began it may be gone before he does. */
  expectListeners(atLeastMs = 0): void {
    if (this.#listeners === 0 && !this.#isOver) this.#waitForListeners(atLeastMs);
  }

  /** Why it was stopped, if it said more than is kept. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /**
   * A client may send its next message as soon as it reads an ending. So an ending waits until the turn is over.
   * A turn that says too much is aborted with an error, behind which only its end is heard.
   */
  push(chunk: ChatChunk): void {
    if (this.#isOver || (this.#failure !== undefined && chunk.type !== 'abort')) return;
    const text = JSON.stringify(chunk);
    this.#chars += text.length;
    if (this.#failure !== undefined || this.#chars <= this.#maxChars) return this.#keep(chunk, text);
    this.#failure = TOO_LONG;
    const end = { type: 'error', errorText: TOO_LONG.message, code: TOO_LONG.code } as const;
    this.#keep(end, JSON.stringify(end));
    this.abort('its output was too long');
  }

  /** What is beside the answer is told behind its first chunk, by which clients know the turn; until then it is not news. */
  tell(chunk: ChatChunk): void {
    if (this.#chunks.length > 0) this.push(chunk);
  }

  abort(cause: AbortCause): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(new DOMException(cause, 'AbortError'));
  }

  /** Gives up the session first, and then lets the listeners hear the end. */
  end(outcome = this.#outcome): void {
    if (this.#isOver) return;
    this.#outcome = outcome;
    this.#isOver = true;
    if (this.#record === undefined) return this.#close();
    for (const text of this.#held) this.#record.emit(JSON.parse(text));
  }

  /** One more who listens, until the returned function is called. */
  attend(): () => void {
    this.#listeners += 1;
    clearTimeout(this.#grace);
    let isThere = true;
    return () => {
      if (isThere) this.#leave();
      isThere = false;
    };
  }

  /**
   * The chunks as JSON, from the first one on, as many at once as there are by then. Whoever ends the iteration is no
   * listener any more.
   */
  listen(): AsyncIterableIterator<readonly string[], undefined> {
    const place = { next: 0, isListening: true };
    const left = this.attend();
    let wake: (() => void) | undefined;
    const leave = (): IteratorResult<readonly string[], undefined> => {
      left();
      place.isListening = false;
      if (wake !== undefined) this.#wakers.delete(wake);
      wake?.();
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        while (place.isListening) {
          if (place.next < this.#chunks.length) {
            const value = this.#chunks.slice(place.next);
            place.next = this.#chunks.length;
            return { done: false, value };
          }
          if (this.#isClosed) break;
          await new Promise<void>((resolve) => {
            wake = resolve;
            this.#wakers.add(resolve);
          });
        }
        return leave();
      },
      return: () => Promise.resolve(leave()),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  #keep(chunk: ChatChunk, text: string): void {
    // A sub-agent may still ask something behind the error of its parent, and waits for the answer.
    if (ENDINGS.has(chunk.type)) return void this.#held.push(text);
    this.#chunks.push(text);
    this.#record?.emit(chunk);
    this.#wake();
  }

  /** Everybody may hear that it is over. */
  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#grace);
    this.#onEnd?.();
    this.#chunks.push(...this.#held.splice(0));
    this.#wake();
    this.#settle();
  }

  #leave(): void {
    this.#listeners -= 1;
    this.expectListeners();
  }

  #waitForListeners(atLeastMs: number): void {
    clearTimeout(this.#grace);
    const patienceMs = Math.max(this.#graceMs, atLeastMs);
    this.#grace = setTimeout(() => this.abort('no client was connected'), patienceMs);
    this.#grace.unref();
  }

  /** Once for all chunks that came with one piece of the network: each writing costs more than the chunk. */
  #wake(): void {
    if (this.#wakeup !== undefined) return;
    this.#wakeup = setImmediate(() => {
      this.#wakeup = undefined;
      const wakers = [...this.#wakers];
      this.#wakers.clear();
      for (const wake of wakers) wake();
    });
  }
}

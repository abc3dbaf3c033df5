import type { OnValue, PushStream } from '../../core/push-stream.js';
import { SilenceTimer } from '../../util/timers.js';

export interface ExchangeOptions {
  /** Longest wait for the first message, then between two, in milliseconds; 0 is for ever. */
  readonly firstMs: number;
  readonly idleMs: number;
  readonly onSilence: (what: 'first' | 'idle') => Error;
  /** Characters that may wait for a slow reader. */
  readonly maxWaiting: number;
  readonly onTooMany: () => Error;
  /** The connection it takes place on. */
  readonly line: {
    pause(): void;
    resume(): void;
    /** `true`: all of the answer came, and nothing else. */
    onEnd(isReusable: boolean): void;
  };
}

/** What comes before an answer or an error is passed over for so many messages: relays send limits and signs of life. */
const LOOKED_AT = 8;

/** A request on a socket, and the messages that answer it. */
export class SocketExchange {
  /** The first message of the answer, or one that says why there is none; rejects when nothing comes. */
  readonly first: Promise<string>;
  readonly #options: ExchangeOptions;
  readonly #silence = new SilenceTimer();
  #waiting: string[] = [];
  #waitingChars = 0;
  #hasBegun = false;
  #messages = 0;
  #isScheduled = false;
  /** The reader asked for a pause. */
  #isHeld = false;
  #isOver = false;
  #isWhole = false;
  #failure: Error | undefined;
  /** What reading comes to once it is over. */
  #outcome: Promise<void> = Promise.resolve();
  #settleFirst: { resolve(text: string): void; reject(error: Error): void } = { resolve() {}, reject() {} };
  #wakeReader: () => void = () => {};

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.first = new Promise((resolve, reject) => {
      this.#settleFirst = { resolve, reject };
    });
    this.first.catch(() => {});
    this.#silence.begin(options.firstMs, () => this.fail(options.onSilence('first')));
  }

  /**
   * Messages, those that came together in one batch. To be read once; the first one is among them. Each batch is awaited, so
   * that the reader, and the tools it starts, see the asynchronous context of their own call: the socket has that of the call
   * it was opened for.
   */
  readonly messages: PushStream<readonly string[]> = async (onValue) => {
    for (this.#flush(onValue); !this.#isOver; this.#flush(onValue)) {
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    }
    return this.#outcome;
  };

  /** Whether all of the answer was read, and nothing came that is none of it. */
  markWhole(isWhole: boolean): void {
    this.#isWhole = isWhole;
  }

  /** There is no answer: all is over before it is read. */
  discard(isReusable: boolean): void {
    this.#finish(isReusable);
  }

  take(text: string): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > this.#options.maxWaiting) return this.fail(this.#options.onTooMany());
    this.#messages += 1;
    if (!this.#hasBegun && (isTelling(text) || this.#messages >= LOOKED_AT)) {
      this.#hasBegun = true;
      this.#settleFirst.resolve(text);
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#silence.end();
    if (!this.#isHeld) this.#awaitNext();
    // Messages that were read from the line together come one by one, in one turn of the event loop.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#wakeReader();
    });
  }

  /** The connection is gone, or silent for too long; what came before that is read first. */
  fail(error: Error): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#failure = error;
    this.#silence.stop();
    this.#settleFirst.reject(error);
    this.#wakeReader();
  }

  /** Nothing more is wanted, not even what came. */
  abort(error: Error): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#settleFirst.reject(error);
    this.#refuse(error);
  }

  #flush(take: OnValue<readonly string[]>): void {
    while (!this.#isHeld && !this.#isOver && this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingChars = 0;
      this.#hand(batch, take);
    }
    if (this.#failure !== undefined && !this.#isHeld) this.abort(this.#failure);
  }

  #hand(batch: readonly string[], take: OnValue<readonly string[]>): void {
    try {
      const wanted = take(batch);
      // All is there, or it was given up.
      if (wanted === false) this.#finish(this.#isWhole);
      else if (wanted !== true) this.#hold(wanted);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** The reader failed, or may not read on. */
  #refuse(reason: unknown): void {
    if (this.#isOver) return;
    this.#outcome = Promise.reject(reason);
    // Nobody may have begun to read.
    this.#outcome.catch(() => {});
    this.#finish(false);
  }

  #awaitNext(): void {
    const { idleMs, onSilence } = this.#options;
    this.#silence.begin(idleMs, () => this.fail(onSilence('idle')));
  }

  #hold(until: Promise<void>): void {
    const { line } = this.#options;
    this.#isHeld = true;
    this.#silence.end();
    line.pause();
    until.then(
      () => {
        if (this.#isOver) return;
        this.#isHeld = false;
        line.resume();
        this.#awaitNext();
        this.#wakeReader();
      },
      (reason: unknown) => this.#refuse(reason),
    );
  }

  #finish(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    if (this.#isHeld) this.#options.line.resume();
    this.#waiting = [];
    this.#options.line.onEnd(isReusable);
    this.#wakeReader();
  }
}

function isTelling(text: string): boolean {
  return text.includes('"response.') || text.includes('"error"');
}

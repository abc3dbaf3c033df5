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

/** A request on a socket, and the messages that answer it. */
export class SocketExchange {
  /** The first message; rejects when there is none. */
  readonly first: Promise<string>;
  readonly #options: ExchangeOptions;
  readonly #silence = new SilenceTimer();
  #waiting: string[] = [];
  #waitingChars = 0;
  #hasBegun = false;
  #isScheduled = false;
  /** The reader asked for a pause. */
  #isHeld = false;
  #isOver = false;
  #isWhole = false;
  #failure: Error | undefined;
  #taker: OnValue<readonly string[]> | undefined;
  #settleFirst: { resolve(text: string): void; reject(error: Error): void } = { resolve() {}, reject() {} };
  #settle: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} };

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.first = new Promise((resolve, reject) => {
      this.#settleFirst = { resolve, reject };
    });
    this.first.catch(() => {});
    this.#silence.begin(options.firstMs, () => this.fail(options.onSilence('first')));
  }

  /** Messages, those that came together in one batch. To be read once; the first one is among them. */
  readonly messages: PushStream<readonly string[]> = (onValue) =>
    new Promise((resolve, reject) => {
      this.#taker = onValue;
      this.#settle = { resolve, reject };
      if (this.#isOver) reject(this.#failure);
      else this.#flush();
    });

  /** Whether all of the answer was read, and nothing came that is none of it. */
  markWhole(isWhole: boolean): void {
    this.#isWhole = isWhole;
  }

  /** The first message is none of the answer: all is over before it is read. */
  discard(isReusable: boolean): void {
    this.#finish(isReusable);
  }

  take(text: string): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > this.#options.maxWaiting) return this.fail(this.#options.onTooMany());
    if (!this.#hasBegun) {
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
      this.#flush();
    });
  }

  /** The connection is gone, or silent for too long; what came before that is read first. */
  fail(error: Error): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#failure = error;
    this.#silence.stop();
    this.#settleFirst.reject(error);
    this.#flush();
  }

  /** Nothing more is wanted, not even what came. */
  abort(error: Error): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#settleFirst.reject(error);
    this.#finish(false);
    this.#settle.reject(error);
  }

  #flush(): void {
    while (this.#taker !== undefined && !this.#isHeld && !this.#isOver && this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingChars = 0;
      this.#hand(batch, this.#taker);
    }
    if (this.#failure !== undefined && this.#taker !== undefined && !this.#isHeld) this.abort(this.#failure);
  }

  #hand(batch: readonly string[], take: OnValue<readonly string[]>): void {
    try {
      const wanted = take(batch);
      if (wanted === false) this.#stop();
      else if (wanted !== true) this.#hold(wanted);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** The reader failed. */
  #refuse(error: unknown): void {
    this.#finish(false);
    this.#settle.reject(error);
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
        this.#flush();
      },
      (error: unknown) => this.#refuse(error),
    );
  }

  /** No more is wanted: all is there, or it was given up. */
  #stop(): void {
    this.#finish(this.#isWhole);
    this.#settle.resolve();
  }

  #finish(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    if (this.#isHeld) this.#options.line.resume();
    this.#waiting = [];
    this.#options.line.onEnd(isReusable);
  }
}

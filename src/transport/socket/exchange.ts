import type { PushStream } from '../../core/push-stream.js';
import { abortError, type AbortLike, onceAborted, raceAbort } from '../../util/abort.js';
import { SilenceTimer } from '../../util/timers.js';
import type { ExchangeReport } from '../exchange-report.js';
import type { Socket } from './socket.js';

export interface ExchangeOptions {
  readonly socket: Socket;
  /** Drops all messages, even unread ones. */
  readonly signal: AbortLike;
  /** Longest wait for the first message, then between two, in milliseconds; 0 is for ever. */
  readonly headersMs: number;
  readonly idleMs: number;
  /** Characters that may wait for a slow reader. */
  readonly messageBytes: number;
  readonly report: ExchangeReport;
  /** A request without any answer may use another transport. */
  readonly mayGoElsewhere: boolean;
  /** The peer answers no ping; or it cannot be pinged, and sends no answer. */
  readonly onLost: () => void;
  /** `true`: the whole answer arrived, and nothing else. */
  readonly onEnd: (isReusable: boolean) => void;
}

/** The most messages that are skipped before an answer or an error, because relays send limits and signs of life. */
const LOOKED_AT = 8;

/** The silence before a ping, and the longest wait for its answer, in milliseconds. */
const PING_MS = 20_000;

/** A request on a socket, and the messages that answer it. */
export class SocketExchange {
  /** The first message of the answer, or the server's error; rejects if none arrives. */
  readonly first: Promise<string>;
  /** The whole answer was read, and no other message arrived. */
  isWhole = false;
  readonly #options: ExchangeOptions;
  readonly #silence = new SilenceTimer();
  #release: () => void = () => {};
  #waiting: string[] = [];
  #waitingChars = 0;
  #messages = 0;
  /** The reader requested a pause. */
  #isPaused = false;
  #isOver = false;
  #failure: Error | undefined;
  /** Until it is settled. */
  #first: { resolve(text: string): void; reject(error: Error): void } | undefined;
  #wakeReader: () => void = () => {};
  #ticks: ReturnType<typeof setInterval> | undefined;
  #quietTicks = 0;

  constructor(options: ExchangeOptions) {
    const { signal, headersMs, report } = options;
    this.#options = options;
    this.first = new Promise((resolve, reject) => {
      this.#first = { resolve, reject };
    });
    this.first.catch(() => {});
    this.#silence.begin(headersMs, () => this.fail(report.unanswered(headersMs)));
    this.#watchLine();
    this.#release = onceAborted(signal, () => this.#abort());
  }

  /**
   * Messages, in batches as they arrive. To be read once, with the first message. Awaits each batch, so that the reader
   * and its tools see the asynchronous context of their own call. The socket has the context of the call that opened
   * it.
   */
  readonly messages: PushStream<readonly string[]> = async (onValue) => {
    try {
      for (;;) {
        const wanted = onValue(await this.#next());
        // The answer is complete, or was given up.
        if (wanted === false) return this.end(this.isWhole);
        if (wanted !== true) await this.#pause(wanted);
      }
    } catch (error) {
      this.end(false);
      throw error;
    }
  };

  take(text: string): void {
    if (this.#isOver || this.#failure !== undefined) return;
    const { socket, messageBytes, report } = this.#options;
    // The tick of its arrival is not quiet.
    this.#quietTicks = -1;
    if (!this.#isPaused) this.#awaitNext();
    this.#waiting.push(text);
    this.#waitingChars += text.length;
    if (this.#waitingChars > messageBytes) return this.fail(report.flooded(messageBytes));
    this.#messages += 1;
    if (this.#first !== undefined && (isTelling(text) || this.#messages >= LOOKED_AT)) {
      this.#first.resolve(text);
      this.#first = undefined;
      if (!socket.canPing) this.#leaveLine();
    }
    this.#wakeReader();
  }

  /** A sign of life of the connection; only messages show that the server works. */
  pong(): void {
    this.#quietTicks = 0;
  }

  /** The connection is gone, or silent for too long; earlier messages are read first. */
  fail(error: Error): void {
    if (this.#isOver || this.#failure !== undefined) return;
    this.#failure = error;
    this.#silence.stop();
    this.#leaveLine();
    this.#first?.reject(error);
    this.#wakeReader();
  }

  /** Ends the exchange, even if unread. */
  end(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    this.#leaveLine();
    this.#release();
    if (this.#isPaused) this.#options.socket.resume();
    this.#waiting = [];
    this.#options.onEnd(isReusable);
    this.#wakeReader();
  }

  #abort(): void {
    this.#failure = abortError(this.#options.signal);
    this.#first?.reject(this.#failure);
    this.end(false);
  }

  async #next(): Promise<readonly string[]> {
    if (this.#waiting.length === 0 && this.#failure === undefined)
      await new Promise<void>((resolve) => {
        this.#wakeReader = resolve;
      });
    const batch = this.#waiting;
    if (batch.length === 0 && this.#failure !== undefined) throw this.#failure;
    this.#waiting = [];
    this.#waitingChars = 0;
    return batch;
  }

  async #pause(until: Promise<void>): Promise<void> {
    const { socket, signal } = this.#options;
    this.#isPaused = true;
    this.#silence.end();
    // A paused socket reads no pongs.
    this.#leaveLine();
    socket.pause();
    await raceAbort(until, signal);
    this.#isPaused = false;
    socket.resume();
    if (this.#failure !== undefined) return;
    this.#watchLine();
    this.#awaitNext();
  }

  #awaitNext(): void {
    const { idleMs, report } = this.#options;
    this.#silence.begin(idleMs, () => this.fail(report.silent(idleMs)));
  }

  /**
   * Finds a vanished peer by its silence; a pong shows only that the connection exists. A runtime's own socket has no
   * pings, so only the first message shows that the server works. Servers begin an answer at once.
   */
  #watchLine(): void {
    const { socket, mayGoElsewhere, onLost } = this.#options;
    if (!socket.canPing && (this.#first === undefined || !mayGoElsewhere)) return;
    this.#quietTicks = 0;
    this.#ticks = setInterval(() => {
      this.#quietTicks += 1;
      if (this.#quietTicks === 1) socket.ping();
      if (this.#quietTicks === 2) onLost();
    }, PING_MS);
  }

  #leaveLine(): void {
    clearInterval(this.#ticks);
  }
}

function isTelling(text: string): boolean {
  return text.includes('"response.') || text.includes('"error"');
}

import { type AbortLike, abortError, onceAborted } from '../../util/abort.js';
import type { OpenClient } from './find-client.js';
import { SocketExchange, type ExchangeOptions } from './exchange.js';
import type { Remembered } from './continuation.js';
import type { SocketRequest } from '../../core/socket.js';
import { timerMs } from '../../util/timers.js';
import { Socket, type SocketEnd } from './socket.js';

export interface ConnectionOptions extends Omit<SocketRequest, 'signal'> {
  readonly client: OpenClient;
  /** How long the upgrade may take, in milliseconds; 0 is for ever. */
  readonly openMs: number;
  /** It is idle, for the first time or again. */
  readonly onRest: () => void;
  readonly onClosed: (connection: Connection, end: SocketEnd) => void;
}

/** A socket that could not be opened, or is gone. */
export class SocketGone extends Error {
  readonly end: SocketEnd;

  constructor(end: SocketEnd) {
    super(`The WebSocket ${end.reason}.`);
    this.end = end;
  }
}

/** So long nothing may come before the line is tried, and so long the answer to that may take, in milliseconds. */
const PING_MS = 20_000;

/**
 * One socket and what the server has in mind on it. It is `connecting`, then by turns `idle` and `busy` with one exchange,
 * and `closed` for ever. A message that no exchange waits for closes it: it could only reach somebody else's answer.
 */
export class Connection {
  state: 'connecting' | 'idle' | 'busy' | 'closed' = 'connecting';
  /** What a request can go on from; good for one. */
  remembered: Remembered | undefined;
  /** The call that used it last, and whether its tools are at work, so that it will be back. */
  lastCall: number | undefined;
  isAwaited = false;
  rounds = 0;
  /** Of the answer before, and its end may come twice. */
  lastResponseId: string | undefined;
  readonly #madeAt = Date.now();
  #usedAt = Date.now();
  /** Settles when the socket is open, rejects when it cannot be opened. */
  readonly opened: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #unwanted = new AbortController();
  #socket: Socket | undefined;
  #exchange: SocketExchange | undefined;
  #settleOpening: (end?: SocketEnd) => void = () => {};
  #pings: ReturnType<typeof setInterval> | undefined;
  #isQuiet = false;
  #isPinged = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpening = (end) => (end === undefined ? resolve() : reject(new SocketGone(end)));
    });
    // Nobody may be waiting.
    this.opened.catch(() => {});
  }

  get ageMs(): number {
    return Date.now() - this.#madeAt;
  }

  get unusedMs(): number {
    return Date.now() - this.#usedAt;
  }

  get canBeIdle(): boolean {
    return this.#socket?.canBeIdle === true;
  }

  /** Sends a message and hands out what comes back. Throws where the socket is gone. */
  exchange(text: string, options: Omit<ExchangeOptions, 'line'>, signal: AbortLike): SocketExchange {
    const socket = this.#socket;
    if (this.state !== 'idle' || socket === undefined) throw new SocketGone({ reason: 'is not idle' });
    this.remembered = undefined;
    this.state = 'busy';
    this.rounds += 1;
    socket.hold(true);
    let release = (): void => {};
    const exchange = new SocketExchange({
      ...options,
      line: {
        // Pongs cannot be read meanwhile.
        pause: () => {
          this.#stopPings();
          socket.pause();
        },
        resume: () => {
          socket.resume();
          if (this.state === 'busy') this.#startPings(socket);
        },
        onEnd: (isReusable) => {
          release();
          this.#stopPings();
          this.#exchange = undefined;
          this.#usedAt = Date.now();
          if (isReusable) this.#rest();
          else this.close();
        },
      },
    });
    this.#exchange = exchange;
    release = onceAborted(signal, () => exchange.abort(abortError(signal)));
    if (signal.aborted) return exchange;
    this.#startPings(socket);
    try {
      socket.send(text);
    } catch (error) {
      this.#end({ reason: error instanceof Error ? error.message : 'cannot be sent to' });
    }
    return exchange;
  }

  /** Ends it; an exchange under way fails. */
  close(reason = 'was closed'): void {
    this.#end({ reason });
  }

  /** Begins; to be called once. */
  async open(): Promise<void> {
    const { client, url, headers, openMs } = this.#options;
    const timer =
      openMs > 0
        ? setTimeout(() => this.close(`was not open after ${openMs} ms (timeouts.socketMs)`), timerMs(openMs))
        : undefined;
    const settle = this.#settleOpening;
    this.#settleOpening = (end) => {
      clearTimeout(timer);
      settle(end);
    };
    try {
      const socket = await client({ url, headers, signal: this.#unwanted.signal });
      this.#socket = new Socket(socket, {
        onOpen: () => this.#onOpen(),
        onMessage: (text) => this.#onMessage(text),
        onPong: () => this.#onPong(),
        onClose: (end) => this.#end(end),
      });
      // Given up in the meantime.
      if (this.state === 'closed') this.#socket.close();
    } catch (error) {
      this.#end({ reason: `could not be made: ${error instanceof Error ? error.message : String(error)}` });
    }
  }

  #onOpen(): void {
    if (this.state !== 'connecting') return;
    this.#rest();
    this.#settleOpening();
  }

  #onMessage(text: string): void {
    this.#isQuiet = false;
    this.#isPinged = false;
    if (this.#exchange === undefined) this.close('sent a message that was not asked for');
    else this.#exchange.take(text);
  }

  #onPong(): void {
    this.#isPinged = false;
  }

  #rest(): void {
    this.state = 'idle';
    this.#socket?.hold(false);
    this.#options.onRest();
  }

  /** The one place where it ends, whatever the reason. */
  #end(end: SocketEnd): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.remembered = undefined;
    this.#stopPings();
    // A broken one may be half open, and its peer may never answer.
    this.#socket?.close();
    this.#unwanted.abort();
    this.#settleOpening(end);
    this.#exchange?.fail(new SocketGone(end));
    this.#options.onClosed(this, end);
  }

  /** A peer that is gone without a word is found by its silence; a pong only says that the line is there. */
  #startPings(socket: Socket): void {
    this.#stopPings();
    if (!socket.canPing) return;
    this.#isQuiet = true;
    this.#isPinged = false;
    this.#pings = setInterval(() => {
      if (this.#isPinged) return this.close('does not answer any more');
      if (this.#isQuiet) {
        this.#isPinged = true;
        socket.ping();
      }
      this.#isQuiet = true;
    }, PING_MS);
  }

  #stopPings(): void {
    clearInterval(this.#pings);
  }
}

import { type AbortLike, onceAborted } from '../../util/abort.js';
import { steadyNow, timerMs } from '../../util/timers.js';
import type { Remembered } from './continuation.js';
import { type ExchangeOptions, SocketExchange } from './exchange.js';
import type { OpenClient } from './find-client.js';
import { Socket, type SocketEnd, SocketGone, unref } from './socket.js';

/** The server of a connection, and the identity of the client. */
export interface SocketPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connections with the same identity can replace each other. */
  readonly identity: string;
  /** Secrets in them that their names do not reveal. */
  readonly secrets?: readonly string[] | undefined;
  /** The maximum age in milliseconds, because servers end old connections. */
  readonly maxAgeMs: number;
}

export interface ConnectionOptions {
  readonly place: SocketPlace;
  readonly client: OpenClient;
  /** How long the upgrade may take, in milliseconds; 0 is for ever. */
  readonly openMs: number;
  /** How long it may be idle, in milliseconds. */
  readonly idleMs: number;
  readonly onClosed: (connection: Connection, end: SocketEnd) => void;
}

/** A client that keeps the process alive may be idle only for a moment. */
const HELD_IDLE_MS = 1_000;

/**
 * One socket and the server's state on it. It is `connecting`, then by turns `idle` and `busy` with one exchange,
 * and `closed` for ever. A message that no exchange expects closes it, because it could reach another answer.
 */
export class Connection {
  state: 'connecting' | 'idle' | 'busy' | 'closed' = 'connecting';
  readonly place: SocketPlace;
  /** The state that a request can continue; valid once. */
  remembered: Remembered | undefined;
  /** The call that used it last, and whether its tools run, so that it will return. */
  lastCall: number | undefined;
  isAwaited = false;
  rounds = 0;
  /** The last answer's, whose end may arrive twice. */
  lastResponseId: string | undefined;
  readonly #madeAt = steadyNow();
  #usedAt = steadyNow();
  /** Settles when the socket is open, rejects when it cannot be opened. */
  readonly opened: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #unwanted = new AbortController();
  #socket: Socket | undefined;
  #exchange: SocketExchange | undefined;
  #settleOpening: (end?: SocketEnd) => void = () => {};
  /** Limits the opening, then the idle time. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopAwaiting: () => void = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.place = options.place;
    this.opened = new Promise((resolve, reject) => {
      this.#settleOpening = (end) => (end === undefined ? resolve() : reject(new SocketGone(end)));
    });
    // Possibly no caller waits.
    this.opened.catch(() => {});
  }

  get ageMs(): number {
    return steadyNow() - this.#madeAt;
  }

  get unusedMs(): number {
    return steadyNow() - this.#usedAt;
  }

  /** Begins to open; called once. */
  async open(): Promise<void> {
    const { client, place, openMs } = this.#options;
    if (openMs > 0)
      this.#timer = setTimeout(
        () => this.close(`was not open after ${openMs} ms (timeouts.socketMs)`),
        timerMs(openMs),
      );
    try {
      const socket = await client({ url: place.url, headers: place.headers, signal: this.#unwanted.signal });
      this.#socket = new Socket(socket, {
        onOpen: () => this.#onOpen(),
        onMessage: (text) => {
          if (this.#exchange === undefined) this.close('sent an unexpected message');
          else this.#exchange.take(text);
        },
        onPong: () => this.#exchange?.pong(),
        onClose: (end) => this.#end(end),
      });
      // It was ended meanwhile.
      if (this.state === 'closed') this.#socket.close();
    } catch (error) {
      this.#end({ reason: `could not be made: ${error instanceof Error ? error.message : String(error)}` });
    }
  }

  /** Sends a message and returns the exchange. Throws if the socket is gone. */
  exchange(text: string, options: Omit<ExchangeOptions, 'socket' | 'onLost' | 'onEnd'>): SocketExchange {
    const socket = this.#socket;
    if (this.state !== 'idle' || socket === undefined) throw new SocketGone({ reason: 'is not idle' });
    this.remembered = undefined;
    this.isAwaited = false;
    this.#stopAwaiting();
    this.state = 'busy';
    this.rounds += 1;
    socket.hold(true);
    this.#exchange = new SocketExchange({
      ...options,
      socket,
      onLost: () => this.#end({ reason: 'does not answer any more', isSilent: true }),
      onEnd: (isReusable) => {
        this.#exchange = undefined;
        this.#usedAt = steadyNow();
        if (isReusable) this.#rest();
        else this.close();
      },
    });
    const exchange = this.#exchange;
    if (options.signal.aborted) return exchange;
    try {
      socket.send(text);
    } catch (error) {
      this.#end({ reason: error instanceof Error ? error.message : 'cannot be sent to' });
    }
    return exchange;
  }

  /** The last call will return with the outputs of its tools, unless it is aborted. */
  awaitCall(signal: AbortLike): void {
    this.isAwaited = true;
    this.#stopAwaiting = onceAborted(signal, () => {
      this.isAwaited = false;
    });
  }

  /** Ends it; a running exchange fails. */
  close(reason = 'was closed'): void {
    this.#end({ reason });
  }

  /** Ends an opening that no one waits for; an open connection serves others. */
  giveUp(): void {
    if (this.state === 'connecting') this.#end({ reason: 'is not wanted any more', isUnwanted: true });
  }

  #onOpen(): void {
    if (this.state !== 'connecting') return;
    this.#rest();
    this.#settleOpening();
  }

  #rest(): void {
    const { idleMs } = this.#options;
    const canBeIdle = this.#socket?.canBeIdle === true;
    this.state = 'idle';
    this.#socket?.hold(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.state === 'idle') this.close('was idle');
      },
      timerMs(canBeIdle ? idleMs : Math.min(idleMs, HELD_IDLE_MS)),
    );
    // Node's timers keep a process alive as its sockets do.
    if (canBeIdle) unref(this.#timer);
  }

  /** Ends it, for any reason. */
  #end(end: SocketEnd): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.remembered = undefined;
    clearTimeout(this.#timer);
    this.#stopAwaiting();
    // A broken socket may be half open, and its peer may never answer.
    this.#socket?.close();
    this.#unwanted.abort();
    this.#settleOpening(end);
    this.#exchange?.fail(new SocketGone(end));
    this.#options.onClosed(this, end);
  }
}

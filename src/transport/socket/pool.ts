import type { JsonObject, JsonValue } from '../../core/json.js';
import { Connection, type ConnectionOptions, type SocketPlace } from './connection.js';
import { newItems } from './continuation.js';

export interface PoolOptions extends Pick<ConnectionOptions, 'idleMs' | 'openMs' | 'onClosed'> {
  /** Connections of a provider. */
  readonly max: number;
}

/** A connection for a request, and the part of it that the server lacks. */
export interface Lease {
  readonly connection: Connection;
  /** `undefined`: the whole request must be sent. */
  readonly items: readonly JsonValue[] | undefined;
}

/** The connections of a provider. Each is idle or serves a single request. */
export class SocketPool {
  readonly #options: PoolOptions;
  #connections: readonly Connection[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An idle connection: that which the request continues, else the same call's, else one without a returning call. */
  find({ identity }: SocketPlace, body: JsonObject, callNumber: number): Lease | undefined {
    // The call's own first, because it is the likeliest and comparing conversations takes time.
    const isOwn = ({ lastCall }: Connection): boolean => lastCall === callNumber;
    const idle = this.#idle()
      .filter(({ place }) => place.identity === identity)
      .toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
    for (const connection of idle) {
      const items = connection.remembered && newItems(body, connection.remembered);
      if (items !== undefined) return { connection, items };
    }
    const connection =
      idle.find(isOwn) ??
      idle.find(({ isAwaited }) => !isAwaited) ??
      // The longest unused one, because it is better than no socket.
      (this.#isFull ? idle.toSorted((a, b) => b.unusedMs - a.unusedMs)[0] : undefined);
    return connection && { connection, items: undefined };
  }

  /** Begins to open one; `undefined` at the maximum number. */
  open(place: SocketPlace, client: ConnectionOptions['client']): Connection | undefined {
    const idle = this.#idle();
    if (this.#isFull) idle.find(({ isAwaited }) => !isAwaited)?.close('made room');
    if (this.#isFull) return undefined;
    const connection = new Connection({
      ...this.#options,
      place,
      client,
      onClosed: (closed, end) => {
        this.#connections = this.#connections.filter((other) => other !== closed);
        this.#options.onClosed(closed, end);
      },
    });
    this.#connections = [...this.#connections, connection];
    void connection.open();
    return connection;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  get #isFull(): boolean {
    return this.#connections.length >= this.#options.max;
  }

  /** Ends connections that are too old. */
  #idle(): Connection[] {
    const idle = this.#connections.filter(({ state }) => state === 'idle');
    const isOld = ({ ageMs, place }: Connection): boolean => ageMs > place.maxAgeMs;
    for (const connection of idle) if (isOld(connection)) connection.close('was too old');
    return idle.filter(({ state }) => state === 'idle');
  }
}

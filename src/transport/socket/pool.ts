import type { JsonObject, JsonValue } from '../../core/json.js';
import { Connection, type ConnectionOptions, type SocketPlace } from './connection.js';
import { newItems } from './continuation.js';

export interface PoolOptions extends Pick<ConnectionOptions, 'idleMs' | 'openMs' | 'onClosed'> {
  /** Connections of a provider. */
  readonly max: number;
}

/** A connection for a request, and what of it the server does not know yet. */
export interface Lease {
  readonly connection: Connection;
  /** `undefined`: all of the request has to be sent. */
  readonly items: readonly JsonValue[] | undefined;
}

/** The connections of a provider. One is never shared: it is idle, or one request has it. */
export class SocketPool {
  readonly #options: PoolOptions;
  #connections: readonly Connection[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An idle connection: the one the request goes on from, else that of the same call, else one that no call will come back to. */
  find({ identity }: SocketPlace, body: JsonObject, callNumber: number): Lease | undefined {
    // The call's own first: most likely it is that one, and to compare conversations takes time.
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
      // The longest unused one, rather than no socket at all.
      (this.#isFull ? idle.toSorted((a, b) => b.unusedMs - a.unusedMs)[0] : undefined);
    return connection && { connection, items: undefined };
  }

  /** Begins to open one; `undefined` where there are as many as there may be. */
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

  /** Those that are too old end here. */
  #idle(): Connection[] {
    const idle = this.#connections.filter(({ state }) => state === 'idle');
    const isOld = ({ ageMs, place }: Connection): boolean => ageMs > place.maxAgeMs;
    for (const connection of idle) if (isOld(connection)) connection.close('was too old');
    return idle.filter(({ state }) => state === 'idle');
  }
}

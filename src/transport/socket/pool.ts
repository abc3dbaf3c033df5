import type { JsonObject, JsonValue } from '../../core/json.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { newItems } from './continuation.js';
import { identityOf } from './identity.js';
import type { SocketEnd } from './socket.js';
import { timerMs } from '../../util/timers.js';

export interface PoolOptions {
  /** Connections of a provider. */
  readonly max: number;
  /** How long one may be idle, in milliseconds. */
  readonly idleMs: number;
  readonly onClosed: (connection: Connection, end: SocketEnd, place: PoolPlace) => void;
}

/** Where a connection leads, and as whom. */
export interface PoolPlace {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Secret texts in them, beside those that are known by their names. */
  readonly secrets?: readonly string[] | undefined;
  /** How old one may become, in milliseconds: servers end them after a time. */
  readonly maxAgeMs: number;
}

/** A connection for a request, and what of it the server does not know yet. */
export interface Lease {
  readonly connection: Connection;
  /** `undefined`: all of the request has to be sent. */
  readonly items: readonly JsonValue[] | undefined;
}

/** Clients that hold up the end of the process may be idle only for a moment. */
const HELD_IDLE_MS = 1_000;

interface Member {
  readonly key: string;
  readonly maxAgeMs: number;
  readonly connection: Connection;
  timer?: ReturnType<typeof setTimeout>;
}

/** The connections of a provider. One is never shared: it is idle, or one request has it. */
export class SocketPool {
  readonly #options: PoolOptions;
  #members: readonly Member[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An idle connection: the one the request goes on from, else that of the same call, else one that no call will come back to. */
  find(place: PoolPlace, body: JsonObject, callNumber: number): Lease | undefined {
    // The call's own first: most likely it is that one, and to compare conversations takes time.
    const isOwn = ({ connection }: Member): boolean => connection.lastCall === callNumber;
    const idle = this.#idle(identityOf(place)).toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
    for (const { connection } of idle) {
      const items = connection.remembered && newItems(body, connection.remembered);
      if (items !== undefined) return { connection, items };
    }
    const free =
      idle.find(isOwn) ??
      idle.find(({ connection }) => !connection.isAwaited) ??
      // The longest unused one, rather than no socket at all.
      (this.isFull ? idle.toSorted((a, b) => b.connection.unusedMs - a.connection.unusedMs)[0] : undefined);
    return free && { connection: free.connection, items: undefined };
  }

  get isFull(): boolean {
    return this.#members.length >= this.#options.max;
  }

  /** Begins to open one; `undefined` where there are as many as there may be. */
  open(place: PoolPlace, options: Pick<ConnectionOptions, 'client' | 'openMs'>): Connection | undefined {
    this.#dropOld();
    if (this.isFull)
      this.#idle()
        .find(({ connection }) => !connection.isAwaited)
        ?.connection.close('made room');
    if (this.isFull) return undefined;
    const { url, headers, maxAgeMs } = place;
    const connection = new Connection({
      ...options,
      url,
      headers,
      onRest: () => this.#watch(member),
      onClosed: (closed, end) => {
        clearTimeout(member.timer);
        this.#members = this.#members.filter(({ connection: other }) => other !== closed);
        this.#options.onClosed(closed, end, place);
      },
    });
    const member: Member = { key: identityOf(place), maxAgeMs, connection };
    this.#members = [...this.#members, member];
    void connection.open();
    return connection;
  }

  close(): void {
    for (const { connection } of this.#members) connection.close();
  }

  #idle(key?: string): Member[] {
    this.#dropOld();
    return this.#members.filter((member) => member.connection.state === 'idle' && (key ?? member.key) === member.key);
  }

  #dropOld(): void {
    for (const { connection, maxAgeMs } of this.#members)
      if (connection.state === 'idle' && connection.ageMs > maxAgeMs) connection.close('was too old');
  }

  /** It is idle again. */
  #watch(member: Member): void {
    clearTimeout(member.timer);
    const { connection } = member;
    const ms = connection.canBeIdle ? this.#options.idleMs : Math.min(this.#options.idleMs, HELD_IDLE_MS);
    const timer: ReturnType<typeof setTimeout> | { unref?(): void } = setTimeout(() => {
      if (connection.state === 'idle') connection.close('was idle');
    }, timerMs(ms));
    member.timer = timer as ReturnType<typeof setTimeout>;
    // Node's timers keep a process alive as its sockets do.
    if (typeof timer === 'object' && connection.canBeIdle) timer.unref?.();
  }
}

import type { Client } from 'pg';
import { CHANNEL } from './database.js';

/** How long it is until the next try to listen. */
const RETRY_MS = 500;

/** Wakes whoever waits for news of a stream. It is a hint only: whoever waits looks for himself from time to time. */
export class WakeUps {
  readonly #connect: () => Promise<Client>;
  readonly #application: string;
  readonly #waiting = new Map<string, Set<() => void>>();
  #client: Client | undefined;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connect: () => Promise<Client>, application: string) {
    this.#connect = connect;
    this.#application = application;
  }

  /** Listens from now on, again after each loss of the connection. */
  async open(): Promise<void> {
    const client = await this.#connect();
    const again = (): void => this.#retry(client);
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload = '' }) => this.#wake(payload));
    try {
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    if (this.#isClosed) return client.end();
    this.#client = client;
  }

  /** Calls `wake` at each news of a stream; `''`: those of all instances. Returns what ends it. */
  on(stream: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(stream) ?? new Set();
    this.#waiting.set(stream, waiting);
    waiting.add(wake);
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(stream) === waiting) this.#waiting.delete(stream);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }

  #wake(payload: string): void {
    const at = payload.indexOf('/');
    if (payload.slice(0, at) !== this.#application) return;
    for (const wake of this.#waiting.get(payload.slice(at + 1)) ?? []) wake();
  }

  #retry(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => {});
    this.#later();
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.open().catch(() => this.#later()), RETRY_MS);
  }
}

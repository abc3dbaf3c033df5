import { setTimeout as sleep } from 'node:timers/promises';

export const TOKEN = 'a-token-for-the-fleet';
export const RETRY_MS = 100;
const PATIENCE_MS = 6_000;
const TRIES = 300;

// oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what is looked at
export type Json = any;

export interface AskOptions {
  /** Posted as JSON; without it the request is a GET. */
  readonly body?: object | undefined;
  /** Default: the next instance. */
  readonly at?: string | undefined;
  /** The number of the last event that was seen. */
  readonly seen?: number | undefined;
}

/** Asks whichever instance answers, one after the other. */
export class Connection {
  readonly #urls: () => readonly string[];
  readonly #patienceMs: number;
  #turn = 0;

  /** @param urls asked for each request: instances come and go. */
  constructor(urls: () => readonly string[], patienceMs = PATIENCE_MS) {
    this.#urls = urls;
    this.#patienceMs = patienceMs;
  }

  /** An instance that does not begin to answer is left for another one. */
  async ask(path: string, { body, at = this.#next(), seen }: AskOptions = {}): Promise<Response> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.#patienceMs);
    const headers = {
      ...{ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(seen === undefined ? {} : { 'last-event-id': String(seen) }),
    };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    try {
      return await fetch(`${at}${path}`, { ...init, signal: controller.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks again until an instance answers. */
  async json(path: string, body?: object): Promise<Json> {
    for (let tries = 0; ; tries += 1) {
      try {
        const response = await this.ask(path, { body });
        if (response.ok) return await response.json();
        if (tries > TRIES) throw new Error(`${path}: ${response.status}`);
      } catch (error) {
        if (tries > TRIES) throw error;
      }
      await sleep(RETRY_MS);
    }
  }

  #next(): string {
    const urls = this.#urls();
    return urls[(this.#turn += 1) % urls.length] ?? '';
  }
}

/** The code of an answer that is an error; empty, if it is none, or there was no answer. */
export async function codeOf(response: Response | undefined): Promise<string> {
  if (response === undefined || response.ok) return '';
  return (await response.json().catch(() => undefined))?.error?.code ?? '';
}

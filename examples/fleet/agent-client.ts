import { setTimeout as sleep } from 'node:timers/promises';

export const TOKEN = 'a-token-for-the-fleet';
const RETRY_MS = 100;
const PATIENCE_MS = 6_000;

// oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what is looked at
export type Json = any;

export interface SeenEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Json;
}

export interface SeenTurn {
  /** What holds in the end. */
  readonly events: readonly SeenEvent[];
  /** How often a connection was lost. */
  readonly lost: number;
  /** Numbers that came twice, or in a wrong order. */
  readonly doubled: number;
  /** The longest time without an event, in milliseconds. */
  readonly silenceMs: number;
}

/** A client of agent-runtime that loses its connections, and goes on at whichever instance answers. */
export class AgentClient {
  readonly #urls: () => readonly string[];
  #turn = 0;

  /** Asked for each request: instances come and go. */
  constructor(urls: () => readonly string[]) {
    this.#urls = urls;
  }

  #url(): string {
    const urls = this.#urls();
    return urls[(this.#turn += 1) % urls.length] ?? '';
  }

  async ask(path: string, body?: unknown, at = this.#url()): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    return answered(`${at}${path}`, init);
  }

  /** Asks again until an instance answers. */
  async json(path: string, body?: unknown): Promise<Json> {
    for (let tries = 0; ; tries += 1) {
      try {
        const response = await this.ask(path, body);
        if (response.ok) return await response.json();
        if (tries > 300) throw new Error(`${path}: ${response.status}`);
      } catch (error) {
        if (tries > 300) throw error;
      }
      await sleep(RETRY_MS);
    }
  }

  async newSession(): Promise<string> {
    return (await this.json('/sessions', {})).id;
  }

  /** Sends a message, or answers, and watches the turn to its end. `wasTaken` says whether a lost request was heard. */
  async turn(
    session: string,
    path: 'messages' | 'approvals',
    body: object,
    wasTaken: () => Promise<boolean>,
  ): Promise<SeenTurn> {
    const seen = new Watch();
    for (;;) {
      try {
        const response = await this.ask(`/sessions/${session}/${path}`, body);
        if (response.ok) {
          await seen.read(response);
          break;
        }
        if (response.status === 409 || response.status === 404) break;
      } catch {
        // The instance is gone: whether it has heard the request is asked elsewhere.
      }
      if (await wasTaken().catch(() => false)) break;
      await sleep(RETRY_MS);
    }
    await this.watch(session, seen);
    return seen.result();
  }

  /** The events of a turn after one that was seen. */
  events(session: string, seen: number, at = this.#url()): Promise<Response> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'last-event-id': String(seen) };
    return answered(`${at}/sessions/${session}/events`, { headers });
  }

  /** Goes on with a turn until its end. */
  async watch(session: string, seen: Watch): Promise<void> {
    while (!seen.hasEnded) {
      try {
        const response = await this.events(session, seen.last);
        if (response.status === 200) await seen.read(response);
        else await sleep(RETRY_MS);
      } catch {
        await sleep(RETRY_MS);
      }
    }
  }
}

/** An instance that does not begin to answer is left for another one. */
async function answered(url: string, init: RequestInit): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PATIENCE_MS);
  try {
    return await fetch(url, { ...init, signal: controller.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** What a client has seen of a turn. */
export class Watch {
  #events: SeenEvent[] = [];
  #lost = -1;
  #doubled = 0;
  #silenceMs = 0;
  #heardAt = performance.now();
  /** The number of the last event; those of an earlier turn are not asked for. */
  last: number;

  constructor(last = 0) {
    this.last = last;
  }

  get hasEnded(): boolean {
    const type = this.#events.at(-1)?.type;
    return type === 'message_stop' || type === 'interrupted';
  }

  get events(): readonly SeenEvent[] {
    return this.#events;
  }

  get text(): string {
    return textOf(this.#events);
  }

  /** Reads until the connection ends or breaks. `enough` leaves sooner. */
  async read(response: Response, enough: (watch: Watch) => boolean = () => false): Promise<void> {
    this.#lost += 1;
    let rest = '';
    try {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
        if (enough(this)) return;
      }
    } catch {
      // The instance died.
    }
  }

  result(): SeenTurn {
    return { events: this.#events, lost: this.#lost, doubled: this.#doubled, silenceMs: this.#silenceMs };
  }

  #take(block: string): void {
    const [, number] = /^id: (\d+)$/m.exec(block) ?? [];
    const [, data = '{}'] = /^data: (.*)$/m.exec(block) ?? [];
    if (number === undefined) return;
    const now = performance.now();
    this.#silenceMs = Math.max(this.#silenceMs, now - this.#heardAt);
    this.#heardAt = now;
    const id = Number(number);
    if (id <= this.last) this.#doubled += 1;
    this.last = id;
    const event: Json = JSON.parse(data);
    if (event.type === 'rewind') this.#events = this.#events.filter((seen) => seen.id <= event.data.after);
    else this.#events.push({ id, type: event.type, data: event.data });
  }
}

export function textOf(events: readonly SeenEvent[]): string {
  return events.map(({ type, data }) => (type === 'text_delta' ? data.text : '')).join('');
}

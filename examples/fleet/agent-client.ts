import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, Connection, type Json, RETRY_MS } from './connection.js';
import { TurnReader } from './turn-reader.js';

/** The most rows that the server gives at a time. */
const PAGE = 1000;

export interface SeenEvent {
  readonly id: number;
  readonly type: string;
  readonly data: Json;
}

/** The session has heard it before. An answer whose turn runs finds the session busy. */
const TAKEN = {
  messages: new Set(['message_exists']),
  approvals: new Set(['no_such_approval', 'session_busy']),
};

/** What a client has seen of a turn in the end; the rest is that of `TurnReader`. */
export interface SeenTurn {
  readonly events: readonly SeenEvent[];
  readonly lost: number;
  readonly doubled: number;
  readonly silenceMs: number;
}

/** A client of agent-runtime that loses its connections, and goes on at whichever instance answers. */
export class AgentClient {
  readonly #connection: Connection;

  constructor(urls: () => readonly string[], patienceMs?: number) {
    this.#connection = new Connection(urls, patienceMs);
  }

  ask(path: string, body?: object, at?: string): Promise<Response> {
    return this.#connection.ask(path, { body, at });
  }

  json(path: string, body?: object): Promise<Json> {
    return this.#connection.json(path, body);
  }

  async newSession(): Promise<string> {
    return (await this.json('/sessions', {})).id;
  }

  /** All rows behind one, however many there are. */
  async rows(session: string, after = 0): Promise<Json[]> {
    const rows: Json[] = [];
    for (;;) {
      const last = rows.at(-1)?.seq ?? after;
      const { items } = await this.json(`/sessions/${session}/messages?after=${last}&limit=${PAGE}`);
      if (items.length === 0) return rows;
      rows.push(...items);
    }
  }

  /** Sends a message, or answers, until they are taken, and watches the turn to its end. What is sent again counts once. */
  async turn(session: string, path: 'messages' | 'approvals', body: object): Promise<SeenTurn> {
    const seen = new Watch();
    const sent = path === 'messages' ? { id: randomUUID(), ...body } : body;
    for (;;) {
      const response = await this.ask(`/sessions/${session}/${path}`, sent).catch(() => undefined);
      if (response?.ok === true) await seen.read(response);
      // A turn that could not begin is a stream without events.
      if (seen.last > 0 || TAKEN[path].has(await codeOf(response))) break;
      await sleep(RETRY_MS);
    }
    await this.watch(session, seen);
    return seen.result();
  }

  /** The events of a turn after one that was seen. */
  events(session: string, seen: number, at?: string): Promise<Response> {
    return this.#connection.ask(`/sessions/${session}/events`, { seen, at });
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

/** What a client has seen of a turn. */
export class Watch {
  #events: SeenEvent[] = [];
  readonly #reader: TurnReader;

  constructor(last = 0) {
    this.#reader = new TurnReader(last);
  }

  get last(): number {
    return this.#reader.last;
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
    for await (const { id, data } of this.#reader.read(response)) {
      if (id !== undefined) this.#take(id, JSON.parse(data));
      if (enough(this)) return;
    }
  }

  result(): SeenTurn {
    const { lost, doubled, silenceMs } = this.#reader;
    return { events: this.#events, lost, doubled, silenceMs };
  }

  #take(id: number, event: Json): void {
    if (event.type === 'rewind') this.#events = this.#events.filter((seen) => seen.id <= event.data.after);
    else this.#events.push({ id, type: event.type, data: event.data });
  }
}

export function textOf(events: readonly SeenEvent[]): string {
  return events.map(({ type, data }) => (type === 'text_delta' ? data.text : '')).join('');
}

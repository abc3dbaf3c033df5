import { EventSourceParserStream } from 'eventsource-parser/stream';

export interface ReadEvent {
  /** `undefined`: the server does not number its events. */
  readonly id: number | undefined;
  readonly data: string;
}

/** Reads what a server tells of a turn, over as many connections as it takes. */
export class TurnReader {
  #connections = 0;
  #doubled = 0;
  #silenceMs = 0;
  #isCut = false;
  #heardAt = performance.now();
  /** The number of the last event; those of an earlier turn are not asked for. */
  last: number;

  constructor(last = 0) {
    this.last = last;
  }

  /** How often a connection was lost. */
  get lost(): number {
    return Math.max(this.#connections - 1, 0);
  }

  /** Numbers that came twice, or in a wrong order. */
  get doubled(): number {
    return this.#doubled;
  }

  /** The longest time without an event, in milliseconds. */
  get silenceMs(): number {
    return this.#silenceMs;
  }

  /** The last connection broke; else the server ended it. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Until the connection ends or breaks. */
  async *read(response: Response): AsyncGenerator<ReadEvent, void> {
    this.#connections += 1;
    this.#isCut = false;
    const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    try {
      for await (const { id, data } of events ?? []) {
        const number = id === undefined ? undefined : Number(id);
        this.#note(number);
        yield { id: number, data };
      }
    } catch {
      // The instance died.
      this.#isCut = true;
    }
  }

  #note(id: number | undefined): void {
    const now = performance.now();
    this.#silenceMs = Math.max(this.#silenceMs, now - this.#heardAt);
    this.#heardAt = now;
    if (id === undefined) return;
    if (id <= this.last) this.#doubled += 1;
    this.last = id;
  }
}

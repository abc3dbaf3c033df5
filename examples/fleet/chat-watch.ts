import type { Json } from './connection.js';
import { TurnReader } from './turn-reader.js';

const OUTPUTS: ReadonlySet<string> = new Set(['tool-output-available', 'tool-output-error', 'tool-output-denied']);
const REWOUND = 'data-rewound';

export interface SeenChunk {
  readonly id: number | undefined;
  readonly chunk: Json;
}

/** What a client of the AI SDK's stream has seen of one request's turn. */
export class ChatWatch {
  readonly #reader = new TurnReader();
  #chunks: SeenChunk[] = [];
  #hasEnded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get chunks(): readonly SeenChunk[] {
    return this.#chunks;
  }

  /** Where a connection goes on; `undefined`: from the first chunk. */
  get last(): number | undefined {
    return this.#reader.last === 0 ? undefined : this.#reader.last;
  }

  get reader(): Pick<TurnReader, 'doubled' | 'lost' | 'silenceMs'> {
    return this.#reader;
  }

  get text(): string {
    return this.#chunks.map(({ chunk }) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
  }

  /** The ids of the calls whose outcome was told, as often as it was. */
  get outputs(): string[] {
    return this.#chunks.flatMap(({ chunk }) => (OUTPUTS.has(chunk.type) ? [chunk.toolCallId] : []));
  }

  get errors(): string[] {
    return this.#chunks.flatMap(({ chunk }) => (chunk.type === 'error' ? [chunk.errorText] : []));
  }

  /** Deltas of a text that has not begun: the AI SDK's clients refuse them. */
  get loose(): number {
    const begun = new Set<string>();
    return this.#chunks.filter(({ chunk: { type, id } }) => {
      if (type === 'text-start') begun.add(id);
      return type === 'text-delta' && !begun.has(id);
    }).length;
  }

  /** As a page that joins the turn: it forgets what it has, for the stream begins with the first chunk. */
  startAgain(): void {
    this.#chunks = [];
    this.#reader.last = 0;
  }

  /** The turn is over, though no stream told its end. */
  giveUp(): void {
    this.#hasEnded = true;
  }

  /** Reads until the connection ends or breaks. `enough` leaves sooner. */
  async read(response: Response, enough: (watch: ChatWatch) => boolean = () => false): Promise<void> {
    for await (const { id, data } of this.#reader.read(response)) {
      if (data === '[DONE]') this.#hasEnded = true;
      else this.#take(id, JSON.parse(data));
      if (this.#hasEnded || enough(this)) return;
    }
  }

  #take(id: number | undefined, chunk: Json): void {
    if (chunk.type === REWOUND) this.#chunks = this.#chunks.filter((seen) => (seen.id ?? 0) <= chunk.data.after);
    else this.#chunks.push({ id, chunk });
  }
}

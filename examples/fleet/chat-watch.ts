import type { Json } from './connection.js';
import { TurnReader } from './turn-reader.js';

const OUTPUTS: ReadonlySet<string> = new Set(['tool-output-available', 'tool-output-error', 'tool-output-denied']);

/** What a client of the AI SDK's stream has seen of one request's turn. */
export class ChatWatch {
  readonly #reader = new TurnReader();
  #chunks: Json[] = [];
  #hasEnded = false;
  #hasLoaded = false;

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Of a turn that went on elsewhere: how many parts of the stored answer its stream builds upon. */
  get partsBefore(): number | undefined {
    return this.#chunks[this.#begin]?.messageMetadata?.partsBefore;
  }

  /** It has loaded the stored messages in the end, and shows those. */
  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  /** Where a connection goes on; `undefined`: from the first chunk. */
  get last(): number | undefined {
    return this.#reader.last === 0 ? undefined : this.#reader.last;
  }

  get reader(): Pick<TurnReader, 'doubled' | 'lost' | 'silenceMs'> {
    return this.#reader;
  }

  get text(): string {
    return this.#held.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
  }

  /** The ids of the calls whose outcome was told, as often as it was. */
  get outputs(): string[] {
    return this.#held.flatMap((chunk) => (OUTPUTS.has(chunk.type) ? [chunk.toolCallId] : []));
  }

  get errors(): string[] {
    return this.#chunks.flatMap((chunk) => (chunk.type === 'error' ? [chunk.errorText] : []));
  }

  /** Deltas of a text that has not begun: the AI SDK's clients refuse them. */
  get loose(): number {
    const begun = new Set<string>();
    return this.#held.filter(({ type, id }) => {
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
  giveUp(hasLoaded: boolean): void {
    this.#hasEnded = true;
    this.#hasLoaded = hasLoaded;
  }

  /** Reads until the connection ends or breaks. `enough` leaves sooner. */
  async read(response: Response, enough: (watch: ChatWatch) => boolean = () => false): Promise<void> {
    for await (const { data } of this.#reader.read(response)) {
      if (data === '[DONE]') this.#hasEnded = true;
      else this.#chunks.push(JSON.parse(data));
      if (this.#hasEnded || enough(this)) return;
    }
    // An end that is none: what was seen is said anew, in other words.
    if (!this.#reader.isCut) this.startAgain();
  }

  /** What came before it is among the stored parts. */
  get #begin(): number {
    return Math.max(
      0,
      this.#chunks.findLastIndex(({ messageMetadata }) => messageMetadata?.partsBefore !== undefined),
    );
  }

  get #held(): Json[] {
    return this.#chunks.slice(this.#begin);
  }
}

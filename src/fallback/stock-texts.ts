import type { TextContent } from '../core/message.js';
import type { RoundPart } from '../core/part.js';
import { defined } from '../util/defined.js';
import type { JsonObject } from '../core/json.js';
import { asId, asRecord, asString } from '../util/guards.js';
import { metadataOf, type StockAgents, textFacts } from './stock-metadata.js';

type Part = Readonly<Record<string, unknown>>;

interface OpenText {
  readonly partId: string;
  text: string;
  facts: Part;
}

export interface StockTextsOptions {
  readonly newPartId: () => string;
  /** Where it stands among what the next request replays; it grows until the end. */
  readonly place: (read: () => TextContent) => void;
  readonly agents: StockAgents;
}

/** The texts of an answer. */
export class StockTexts {
  readonly #options: StockTextsOptions;
  readonly #open = new Map<string, OpenText>();
  /** By the id of the message: the stock provider passes them over. */
  readonly #refusals = new Map<string, string>();
  #refused = false;

  constructor(options: StockTextsOptions) {
    this.#options = options;
  }

  /** The model has said no, and nothing else. */
  get refused(): boolean {
    return this.#refused;
  }

  /** A text under an id that is still open ends the one before. */
  start(part: Part): RoundPart[] {
    const id = String(part['id']);
    const earlier = this.end({ id });
    const open: OpenText = {
      partId: this.#options.newPartId(),
      text: '',
      facts: { ...metadataOf(part), ...this.#options.agents.of(part) },
    };
    this.#open.set(id, open);
    this.#options.place(() => ({
      type: 'text',
      text: open.text,
      // It came from the server, in JSON.
      ...defined({ phase: asId(open.facts['phase']), agent: asRecord(open.facts['agent']) as JsonObject | undefined }),
    }));
    return [...earlier, { type: 'text-start', id: open.partId, ...textFacts(open.facts) }];
  }

  /** Servers leave out what the stock provider begins a text with; what it then tells is the answer all the same. */
  delta(part: Part): RoundPart[] {
    const id = String(part['id']);
    const delta = asString(part['delta']) ?? '';
    if (delta === '') return [];
    const begun = this.#open.has(id) ? [] : this.start({ id });
    const open = this.#open.get(id);
    if (open === undefined) return [];
    open.text += delta;
    return [...begun, { type: 'text-delta', id: open.partId, delta }];
  }

  end(part: Part): RoundPart[] {
    const id = String(part['id']);
    const refusal = this.#refusals.get(id) ?? '';
    const isRefused = this.#open.get(id)?.text === '' && refusal !== '';
    const told = isRefused ? this.delta({ id, delta: refusal }) : [];
    const open = this.#open.get(id);
    if (open === undefined) return [];
    this.#refused ||= isRefused;
    this.#open.delete(id);
    open.facts = { ...open.facts, ...metadataOf(part), ...this.#options.agents.of(part) };
    return [...told, { type: 'text-end', id: open.partId, ...textFacts(open.facts) }];
  }

  /** What a message says instead of an answer, as the wire has it. */
  refuse(event: Part): void {
    const id = asId(event['item_id']);
    const refusal = asId(event['refusal']);
    if (id !== undefined && refusal !== undefined) this.#refusals.set(id, refusal);
  }

  /** The round is over. */
  close(): RoundPart[] {
    return [...this.#open.keys()].flatMap((id) => this.end({ id }));
  }
}

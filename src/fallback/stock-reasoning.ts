import type { ReasoningContent } from '../core/message.js';
import type { JsonObject } from '../core/json.js';
import type { RoundPart } from '../core/part.js';
import { defined } from '../util/defined.js';

/** A reasoning item that is being told, section by section. */
interface OpenItem {
  readonly itemId: string | undefined;
  readonly summary: string[];
  encrypted: string | undefined;
  readonly agent: JsonObject | undefined;
}

/** What is known of the item of a section. */
interface SectionFacts {
  readonly itemId?: string;
  readonly encrypted?: string;
  readonly agent?: JsonObject;
}

interface Section {
  readonly partId: string;
  readonly item: OpenItem;
  readonly index: number;
}

/**
 * The stock provider tells each section of a reasoning item as a part of its own, with the item's id and seal on all of
 * them. Here a section says that another follows, and only the last has the seal: so an end waits for what comes next.
 */
export class StockReasoning {
  readonly #sections = new Map<string, Section>();
  #item: OpenItem | undefined;
  #ended: Section | undefined;

  isOpen(id: string): boolean {
    return this.#sections.has(id);
  }

  /** A section under an id that is still open ends the one before. */
  start(id: string, partId: string, facts: SectionFacts): RoundPart[] {
    const isSame = facts.itemId !== undefined && facts.itemId === this.#item?.itemId;
    const ending = [...this.end(id, undefined), ...this.#end(isSame)];
    const item =
      isSame && this.#item !== undefined
        ? this.#item
        : { itemId: facts.itemId, summary: [], encrypted: undefined, agent: facts.agent };
    item.encrypted = facts.encrypted ?? item.encrypted;
    this.#item = item;
    const index = item.summary.push('') - 1;
    this.#sections.set(id, { partId, item, index });
    return [...ending, { type: 'reasoning-start', id: partId, ...itemFacts(item) }];
  }

  delta(id: string, delta: string): RoundPart[] {
    const section = this.#sections.get(id);
    if (section === undefined || delta === '') return [];
    section.item.summary[section.index] += delta;
    return [...this.#end(true), { type: 'reasoning-delta', id: section.partId, delta }];
  }

  end(id: string, encrypted: string | undefined): RoundPart[] {
    const section = this.#sections.get(id);
    if (section === undefined) return [];
    this.#sections.delete(id);
    section.item.encrypted = encrypted ?? section.item.encrypted;
    const ending = this.#end(this.#ended?.item === section.item);
    this.#ended = section;
    return ending;
  }

  /** Something else comes: the item is whole, unless a section of it is still open. */
  settle(): RoundPart[] {
    const item = this.#ended?.item;
    return this.#end([...this.#sections.values()].some((section) => section.item === item));
  }

  /** The round is over: whatever is open is closed. */
  close(): RoundPart[] {
    const parts = [...this.#sections.keys()].flatMap((id) => this.end(id, undefined));
    return [...parts, ...this.#end(false)];
  }

  /** The item of the latest section, as the next request has to hold it. */
  get latest(): OpenItem | undefined {
    return this.#item;
  }

  #end(continues: boolean): RoundPart[] {
    if (this.#ended === undefined) return [];
    const { partId, item } = this.#ended;
    this.#ended = undefined;
    const seal = continues ? { continues } : defined({ encrypted: item.encrypted });
    return [
      {
        type: 'reasoning-end',
        id: partId,
        facts: { ...itemFacts(item).facts, reasoning: { kind: 'summary', ...seal } },
      },
    ];
  }
}

export function toReasoningContent({ itemId, summary, encrypted, agent }: OpenItem): ReasoningContent {
  return {
    type: 'reasoning',
    summary: summary.filter((text) => text !== ''),
    text: [],
    ...defined({ encrypted, itemId, agent }),
  };
}

function itemFacts({ itemId, agent }: OpenItem): { readonly facts?: Pick<SectionFacts, 'itemId' | 'agent'> } {
  const facts = defined({ itemId, agent });
  return Object.keys(facts).length === 0 ? {} : { facts };
}

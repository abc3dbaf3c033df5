import type { JsonObject } from '../../core/json.js';
import type { ReasoningContent } from '../../core/message.js';
import type { ReasoningFacts } from '../../core/part.js';
import { asArray, asId, asNumber, asRecord, asString } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { GrowingTexts, Slot } from '../slot.js';
import { addressOfEvent, type EventTable, type SlotTable } from '../slot-table.js';
import { defined } from '../../util/defined.js';

type Kind = 'summary' | 'text';

/** A place inside an item: the nth summary, the nth text. */
interface Section {
  readonly kind: Kind;
  readonly index: number;
}

/** Summaries (OpenAI) and raw reasoning text (local servers): each section is a part, the item stays one. */
export class ReasoningSlot extends Slot {
  readonly #sections = { summary: new GrowingTexts(), text: new GrowingTexts() };
  #encrypted: string | undefined;
  #agent: JsonObject | undefined;
  /** The part being emitted, and its section once that is known. */
  #open: { readonly partId: string; section: Section | undefined } | undefined;
  #partsOpened = 0;

  /** Opened at once, so that "thinking" shows while a server thinks in silence. */
  begin(item: WireObject): void {
    this.#readFacts(item);
    if (this.#partsOpened === 0) this.#openSection();
  }

  finish(item: WireObject): void {
    if (this.done) return;
    this.#readFacts(item);
    // xAI streams raw text and repeats it as a summary.
    if (!this.#repeats('text', item['summary'])) this.#fillSections('summary', item['summary']);
    if (!this.#repeats('summary', item['content'])) this.#fillSections('text', item['content']);
    this.close();
  }

  close(): void {
    if (this.done) return;
    this.done = true;
    if (this.#open === undefined && this.#encrypted !== undefined) this.#openSection();
    this.#closeSection(defined({ encrypted: this.#encrypted }));
  }

  content(): ReasoningContent | undefined {
    const { summary, text } = this.#sections;
    if (this.#encrypted === undefined && summary.isEmpty && text.isEmpty) return undefined;
    return {
      type: 'reasoning',
      summary: summary.inOrder(),
      text: text.inOrder(),
      ...defined({ encrypted: this.#encrypted, itemId: this.itemId, agent: this.#agent }),
    };
  }

  think(section: Section, text: string): void {
    this.enter(section);
    this.#sections[section.kind].add(section.index, text);
    if (this.#open !== undefined) this.round.emit({ type: 'reasoning-delta', id: this.#open.partId, delta: text });
  }

  fillUp(section: Section, text: string): void {
    const rest = this.#sections[section.kind].restOf(section.index, text);
    if (rest === undefined) this.round.warn('The server repeated its reasoning differently; the streamed one stands.');
    else if (rest !== '') this.think(section, rest);
  }

  /** The first section takes over the part that `begin` opened; a later one gets its own. */
  enter(section: Section): void {
    const open = this.#open?.section;
    if (open?.kind === section.kind && open.index === section.index) return;
    if (this.#open !== undefined && open === undefined) {
      this.#open.section = section;
      return;
    }
    this.#closeSection({ continues: true });
    this.#openSection(section);
  }

  #readFacts(item: WireObject): void {
    this.#encrypted = asId(item['encrypted_content']) ?? this.#encrypted;
    this.#agent = (asRecord(item['agent']) as JsonObject | undefined) ?? this.#agent;
  }

  /** True if these sections were already streamed. */
  #repeats(kind: Kind, sections: unknown): boolean {
    const emitted = this.#sections[kind];
    return !emitted.isEmpty && textsOf(sections).join('') === emitted.inOrder().join('');
  }

  #fillSections(kind: Kind, sections: unknown): void {
    for (const [index, text] of textsOf(sections).entries()) if (text !== undefined) this.fillUp({ kind, index }, text);
  }

  #closeSection(facts: Omit<ReasoningFacts, 'kind'>): void {
    if (this.#open === undefined) return;
    const { partId, section } = this.#open;
    this.#open = undefined;
    const reasoning = { kind: section?.kind ?? 'summary', ...facts };
    this.round.emit({
      type: 'reasoning-end',
      id: partId,
      facts: { ...defined({ itemId: this.itemId, agent: this.#agent }), reasoning },
    });
  }

  #openSection(section?: Section): void {
    const partId = this.round.partId(this.#partsOpened === 0 ? this.key : `${this.key}.${this.#partsOpened}`);
    this.#partsOpened += 1;
    this.#open = { partId, section };
    const facts = defined({ itemId: this.itemId, agent: this.#agent });
    this.round.emit({
      type: 'reasoning-start',
      id: partId,
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    });
  }
}

export const reasoningEvents = {
  'response.reasoning_summary_part.added': (event, table) => {
    const slot = slotOf(event, table);
    if (!slot.done) slot.enter({ kind: 'summary', index: indexOf(event) });
  },
  // Ollama sends it without announcing the part.
  'response.reasoning_summary_text.delta': (event, table) => append(event, 'summary', table),
  'response.reasoning_summary_text.done': (event, table) => complete(event, 'summary', event['text'], table),
  'response.reasoning_summary_part.done': (event, table) =>
    complete(event, 'summary', asRecord(event['part'])?.['text'], table),
  'response.reasoning_text.delta': (event, table) => append(event, 'text', table),
  // From LM Studio sometimes the only event of the reasoning.
  'response.reasoning_text.done': (event, table) => complete(event, 'text', event['text'], table),
  // The names in the Open Responses specification.
  'response.reasoning.delta': (event, table) => append(event, 'text', table),
  'response.reasoning.done': (event, table) => complete(event, 'text', event['text'], table),
} satisfies EventTable;

function append(event: WireObject, kind: Kind, table: SlotTable): void {
  const { delta } = event;
  if (typeof delta !== 'string' || delta === '') return;
  const slot = slotOf(event, table);
  if (!slot.done) slot.think({ kind, index: indexOf(event) }, delta);
}

function complete(event: WireObject, kind: Kind, text: unknown, table: SlotTable): void {
  if (typeof text !== 'string') return;
  const slot = slotOf(event, table);
  if (!slot.done) slot.fillUp({ kind, index: indexOf(event) }, text);
}

/** A string instead of a list is the only section. */
function textsOf(sections: unknown): readonly (string | undefined)[] {
  const list = typeof sections === 'string' ? [sections] : asArray(sections);
  return list.map((section) => asString(section) ?? asString(asRecord(section)?.['text']));
}

function indexOf(event: WireObject): number {
  return asNumber(event['summary_index']) ?? asNumber(event['content_index']) ?? 0;
}

function slotOf(event: WireObject, table: SlotTable): ReasoningSlot {
  // The table returns a slot of the requested type.
  return table.findOrAdd('reasoning', addressOfEvent(event)) as ReasoningSlot;
}

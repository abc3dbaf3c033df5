import type { DecodedEvent } from '../stream/decode-event.js';
import { asId, asNumber, asRecords, asString } from '../util/guards.js';
import { callMembers, metadataOf, type Part } from './part-facts.js';

interface OpenText {
  readonly place: number;
  readonly start: Part;
  isEmpty: boolean;
}

/** A reasoning item whose sections are being read. */
interface Thought {
  readonly place: number;
  readonly itemId: string | undefined;
  sections: number;
  encrypted: string | undefined;
}

interface Section {
  readonly thought: Thought;
  readonly index: number;
}

interface KnownCall {
  readonly place: number;
  /** Name and arguments of the finished call. */
  said?: string;
}

/** Texts, reasoning and function calls of the stock provider, as the events in which a server would have sent them. */
export class SpokenEvents {
  /** The model has said no, and nothing else. */
  refused = false;
  readonly #items: WireItems;
  readonly #emit: (event: DecodedEvent) => void;
  readonly #texts = new Map<string, OpenText>();
  readonly #thoughts = new Set<Thought>();
  /** Those that are open. */
  readonly #sections = new Map<string, Section>();
  readonly #calls = new Map<string, KnownCall>();

  constructor(items: WireItems, emit: (event: DecodedEvent) => void) {
    this.#items = items;
    this.#emit = emit;
  }

  readonly readers: Readonly<Record<string, (part: Part) => void>> = {
    'text-start': (part) => void this.#startText(part),
    // Servers leave out what the stock provider begins a text with; what follows is the answer all the same.
    'text-delta': ({ id, delta }) => {
      if (delta === '') return;
      const text = this.#texts.get(String(id)) ?? this.#startText({ id });
      text.isEmpty = false;
      this.#send('output_text.delta', text.place, { delta });
    },
    'text-end': (part) => this.#endText(part),
    'reasoning-start': (part) => void this.#startSection(part),
    'reasoning-delta': ({ id, delta }) => {
      if (delta === '') return;
      const { thought, index } = this.#sections.get(String(id)) ?? this.#startSection({ id });
      this.#send('reasoning_summary_text.delta', thought.place, { summary_index: index, delta });
    },
    'reasoning-end': (part) => this.#endSection(part),
    // One that was announced before may be a repetition: that shows with the call.
    'tool-input-start': (part) => {
      const { id } = part;
      if (!this.#isElsewhere(part, id) && !this.#calls.has(String(id))) this.#startCall(id, part);
    },
    'tool-input-delta': ({ id, delta }) => {
      const call = this.#calls.get(String(id));
      if (call !== undefined && call.said === undefined)
        this.#send('function_call_arguments.delta', call.place, { delta });
    },
    'tool-call': (part) => this.#call(part),
  };

  /** Something that a text refers to. */
  cite(event: Part): void {
    const text = this.#texts.get(String(event['item_id']));
    if (text !== undefined) this.#send('output_text.annotation.added', text.place, event);
  }

  /** Something else comes: a reasoning item is whole unless a section of it is still open. */
  endThoughts(): void {
    const open = new Set([...this.#sections.values()].map(({ thought }) => thought));
    for (const thought of this.#thoughts) {
      if (open.has(thought)) continue;
      this.#thoughts.delete(thought);
      const item = { ...this.#reasoning(thought), encrypted_content: thought.encrypted };
      this.#send('output_item.done', thought.place, { item });
    }
  }

  /** The round is over. */
  close(): void {
    for (const id of this.#texts.keys()) this.#endText({ id });
    this.#sections.clear();
    this.endThoughts();
  }

  /** A text under an id that is still open ends the one before. */
  #startText(part: Part): OpenText {
    const id = String(part['id']);
    this.#endText({ id });
    const text = { place: this.#items.placeOf(id), start: part, isEmpty: true };
    this.#texts.set(id, text);
    this.#send('output_item.added', text.place, { item: this.#message(id, metadataOf(part)) });
    return text;
  }

  #endText(part: Part): void {
    const id = String(part['id']);
    const text = this.#texts.get(id);
    if (text === undefined) return;
    this.#texts.delete(id);
    const { annotations, ...facts } = { ...metadataOf(text.start), ...metadataOf(part) };
    // The stock provider passes over refusals, and texts that were not streamed.
    const missed = text.isEmpty ? asRecords(this.#items.of(id)?.['content']) : [];
    this.refused ||= missed.some(({ type }) => type === 'refusal');
    const content = missed.length > 0 ? missed : [{ type: 'output_text', annotations }];
    this.#send('output_item.done', text.place, { item: { ...this.#message(id, facts), content } });
  }

  #message(id: string, { itemId, phase }: Part): Part {
    return { type: 'message', id: itemId, phase, agent: this.#items.of(id)?.['agent'] };
  }

  /** The stock provider has a part for each section of a reasoning item, with the item's id and seal on all of them. */
  #startSection(part: Part): Section {
    const id = String(part['id']);
    this.#endSection({ id });
    const { itemId } = metadataOf(part);
    const known = [...this.#thoughts].find((thought) => itemId !== undefined && thought.itemId === itemId);
    if (known === undefined) this.endThoughts();
    const thought = known ?? this.#startThought(asId(itemId));
    const section = { thought, index: thought.sections };
    this.#sections.set(id, section);
    thought.sections += 1;
    thought.encrypted = sealOf(part) ?? thought.encrypted;
    if (section.index > 0) this.#send('reasoning_summary_part.added', thought.place, { summary_index: section.index });
    return section;
  }

  #startThought(itemId: string | undefined): Thought {
    const thought: Thought = { place: this.#items.placeOf(itemId), itemId, sections: 0, encrypted: undefined };
    this.#thoughts.add(thought);
    this.#send('output_item.added', thought.place, { item: this.#reasoning(thought) });
    return thought;
  }

  #endSection(part: Part): void {
    const id = String(part['id']);
    const thought = this.#sections.get(id)?.thought;
    this.#sections.delete(id);
    if (thought !== undefined) thought.encrypted = sealOf(part) ?? thought.encrypted;
  }

  #reasoning({ itemId }: Thought): Part {
    return { type: 'reasoning', id: itemId, agent: this.#items.of(itemId)?.['agent'] };
  }

  /** The same call once more is a repetition; another one under the same id is another call. */
  #call(part: Part): void {
    const { toolCallId: id, toolName: name, input } = part;
    if (this.#isElsewhere(part, id)) return;
    // A text, by the book; some hand out what they parsed.
    const text = asString(input) ?? JSON.stringify(input) ?? '';
    const said = `${String(name)} ${text}`;
    const known = this.#calls.get(String(id));
    if (known?.said === said) return;
    const call = known === undefined || known.said !== undefined ? this.#startCall(id, part) : known;
    call.said = said;
    const facts = { id: metadataOf(part)['itemId'], ...callMembers(part), ...this.#items.of(id) };
    const item = { ...facts, type: 'function_call', call_id: id, name, arguments: text };
    this.#send('output_item.done', call.place, { item });
  }

  #startCall(id: unknown, { toolName: name }: Part): KnownCall {
    const call: KnownCall = { place: this.#items.placeOf(id) };
    this.#calls.set(String(id), call);
    this.#send('output_item.added', call.place, { item: { type: 'function_call', call_id: id, name } });
    return call;
  }

  /** Its item says it all, or the server runs it. */
  #isElsewhere(part: Part, id: unknown): boolean {
    return part['providerExecuted'] === true || !isSpoken(this.#items.of(id) ?? { type: 'function_call' });
  }

  #send(name: string, place: number, event: Part): void {
    this.#emit({ ...event, type: `response.${name}`, output_index: place });
  }
}

function sealOf(part: Part): string | undefined {
  return asId(metadataOf(part)['reasoningEncryptedContent']);
}

/** Items whose content the stock provider's parts hold whole. */
const SPOKEN: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

export function isSpoken(item: Part): boolean {
  return SPOKEN.has(asString(item['type']) ?? 'message');
}

/** What a place takes that the wire says nothing of: behind what came before it, before what the wire has next. */
const BEHIND = 1 / 1_024;

/** What the wire says of the items of an answer, and the stock provider's parts do not. */
export class WireItems {
  isEmpty = true;
  readonly #items = new Map<string, Part>();
  readonly #places = new Map<string, number>();
  #latest = 0;

  /** Under its id and its call id; an output names its call, and is not that call. */
  note(item: Part, place: unknown): void {
    const isOutput = asString(item['type'])?.endsWith('_output') === true;
    for (const id of [asId(item['id']), asId(item['call_id'])]) {
      if (id === undefined || (isOutput && this.#items.has(id))) continue;
      this.isEmpty = false;
      this.#items.set(id, item);
      const known = asNumber(place);
      if (known !== undefined) this.#places.set(id, known);
    }
  }

  of(id: unknown): Part | undefined {
    return this.#items.get(String(id));
  }

  placeOf(id: unknown): number {
    this.#latest = this.#places.get(String(id)) ?? this.#latest + BEHIND;
    return this.#latest;
  }
}

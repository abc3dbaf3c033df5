import type { FAMILIES } from '../stream/items.js';
import type { FunctionCallSlot } from '../stream/handlers/function-call.js';
import type { MessageSlot } from '../stream/handlers/message.js';
import type { ReasoningSlot } from '../stream/handlers/reasoning.js';
import type { Reducer } from '../stream/reduce-events.js';
import { asId, asNumber, asRecords, asString } from '../util/guards.js';
import { callMembers, metadataOf, type Part } from './part-facts.js';

interface OpenText {
  readonly slot: MessageSlot;
  readonly start: Part;
}

/** A reasoning item. The stock model streams each of its sections as a part. */
interface Thought {
  readonly slot: ReasoningSlot;
  readonly itemId: unknown;
  sections: number;
  open: number;
}

interface KnownCall {
  readonly slot: FunctionCallSlot;
  /** Name and arguments of the finished call. */
  finished?: string;
}

/** The distance between places without a wire index: after the previous item, before the next item of the wire. */
const BEHIND = 1 / 1_024;

/** Writes texts, reasoning and function calls of the stock model into the round. Raw chunks add what its parts lack. */
export class AnswerItems {
  /** The model refused, and its parts do not show it. */
  refused = false;
  readonly #reducer: Reducer;
  /** Items of raw chunks and of the response body, by id and call id. */
  readonly #wire = new Map<string, Part>();
  readonly #places = new Map<string, number>();
  #lastPlace = 0;
  readonly #texts = new Map<string, OpenText>();
  readonly #thoughts = new Set<Thought>();
  /** Open reasoning parts. */
  readonly #sections = new Map<string, { readonly thought: Thought; readonly index: number }>();
  readonly #calls = new Map<string, KnownCall>();

  constructor(reducer: Reducer) {
    this.#reducer = reducer;
  }

  get hasWire(): boolean {
    return this.#wire.size > 0;
  }

  /** Keeps an item of the wire. An output has the call id of its call, which stays the item known by that id. */
  note(item: Part, place: unknown): void {
    const isOutput = asString(item['type'])?.endsWith('_output') === true;
    for (const id of [asId(item['id']), asId(item['call_id'])]) {
      if (id === undefined || (isOutput && this.#wire.has(id))) continue;
      this.#wire.set(id, item);
      const known = asNumber(place);
      if (known !== undefined) this.#places.set(id, known);
    }
  }

  readonly readers: Readonly<Record<string, (part: Part) => void>> = {
    'text-start': (part) => void this.#startText(part),
    // A few models stream deltas without a start; the text still belongs to the answer.
    'text-delta': ({ id, delta }) => {
      if (typeof delta !== 'string' || delta === '') return;
      const { slot } = this.#texts.get(String(id)) ?? this.#startText({ id });
      slot.say(0, delta);
    },
    'text-end': (part) => this.#endText(part),
    'reasoning-start': (part) => void this.#startSection(part),
    'reasoning-delta': ({ id, delta }) => {
      if (typeof delta !== 'string' || delta === '') return;
      const { thought, index } = this.#sections.get(String(id)) ?? this.#startSection({ id });
      thought.slot.think({ kind: 'summary', index }, delta);
    },
    'reasoning-end': (part) => this.#endSection(part),
    // A second announcement may be a repetition, which only the finished call shows.
    'tool-input-start': (part) => {
      const { id } = part;
      if (!this.#isElsewhere(part, id) && !this.#calls.has(String(id))) this.#startCall(id, part);
    },
    'tool-input-delta': ({ id, delta }) => {
      const call = this.#calls.get(String(id));
      if (call?.finished === undefined && typeof delta === 'string' && delta !== '') call?.slot.addArguments({}, delta);
    },
    'tool-call': (part) => this.#call(part),
  };

  cite(itemId: unknown, annotation: Part | undefined): void {
    const slot = this.#texts.get(String(itemId))?.slot;
    if (slot === undefined || annotation === undefined) return;
    slot.itemId ??= asId(itemId);
    slot.annotate([annotation]);
  }

  /** Closes reasoning items without an open section: another item has begun. */
  endThoughts(): void {
    for (const thought of this.#thoughts) {
      if (thought.open > 0) continue;
      this.#thoughts.delete(thought);
      thought.slot.finish({ agent: this.#agentOf(thought.itemId) });
    }
  }

  close(): void {
    for (const id of this.#texts.keys()) this.#endText({ id });
    for (const id of this.#sections.keys()) this.#endSection({ id });
    this.endThoughts();
  }

  /** A text with the id of an open one ends that one. */
  #startText(part: Part): OpenText {
    const id = String(part['id']);
    this.#endText({ id });
    const { itemId, phase } = metadataOf(part);
    const text = { slot: this.#open('message', id, { itemId: asId(itemId) }), start: part };
    text.slot.begin({ phase, agent: this.#agentOf(id) });
    this.#texts.set(id, text);
    return text;
  }

  #endText(part: Part): void {
    const id = String(part['id']);
    const text = this.#texts.get(id);
    if (text === undefined) return;
    this.#texts.delete(id);
    const { slot, start } = text;
    const { annotations, phase, itemId } = { ...metadataOf(start), ...metadataOf(part) };
    slot.itemId ??= asId(itemId);
    // The stock provider drops refusals, and texts that the server sent only in the finished item.
    const missed = slot.content() === undefined ? asRecords(this.#wire.get(id)?.['content']) : [];
    this.refused ||= missed.some(({ type }) => type === 'refusal');
    const content = missed.length > 0 ? missed : [{ type: 'output_text', annotations }];
    slot.finish({ phase, agent: this.#agentOf(id), content });
  }

  /** Sections of one reasoning item have its id and its seal. */
  #startSection(part: Part): { readonly thought: Thought; readonly index: number } {
    const id = String(part['id']);
    this.#endSection({ id });
    const { itemId } = metadataOf(part);
    const known = [...this.#thoughts].find((thought) => itemId !== undefined && thought.itemId === itemId);
    if (known === undefined) this.endThoughts();
    const thought = known ?? {
      slot: this.#open('reasoning', itemId, { itemId: asId(itemId) }),
      itemId,
      sections: 0,
      open: 0,
    };
    this.#thoughts.add(thought);
    const section = { thought, index: thought.sections };
    thought.sections += 1;
    thought.open += 1;
    this.#sections.set(id, section);
    thought.slot.begin({ agent: this.#agentOf(itemId), encrypted_content: sealOf(part) });
    if (section.index > 0) thought.slot.enter({ kind: 'summary', index: section.index });
    return section;
  }

  #endSection(part: Part): void {
    const id = String(part['id']);
    const thought = this.#sections.get(id)?.thought;
    if (thought === undefined) return;
    this.#sections.delete(id);
    thought.open -= 1;
    thought.slot.begin({ encrypted_content: sealOf(part) });
  }

  /** The same call again is a repetition; another call with the same id is another call. */
  #call(part: Part): void {
    const { toolCallId: id, toolName: name, input } = part;
    if (this.#isElsewhere(part, id)) return;
    // The AI SDK types the input as text; some models send parsed JSON.
    const text = asString(input) ?? JSON.stringify(input) ?? '';
    const finished = `${String(name)} ${text}`;
    const known = this.#calls.get(String(id));
    if (known?.finished === finished) return;
    const call = known === undefined || known.finished !== undefined ? this.#startCall(id, part) : known;
    call.finished = finished;
    const item: Part = { id: metadataOf(part)['itemId'], ...callMembers(part), ...this.#wire.get(String(id)) };
    call.slot.itemId ??= asId(item['id']);
    call.slot.finish({ ...item, call_id: id, name, arguments: text });
  }

  #startCall(id: unknown, { toolName: name }: Part): KnownCall {
    const slot = this.#open('function_call', id, { callId: asId(id) });
    slot.begin({ call_id: id, name });
    const call: KnownCall = { slot };
    this.#calls.set(String(id), call);
    return call;
  }

  /** Whether the reducer reads this call from its item, or the server runs it. */
  #isElsewhere(part: Part, id: unknown): boolean {
    return part['providerExecuted'] === true || !isSpoken(this.#wire.get(String(id)) ?? { type: 'function_call' });
  }

  #open<Family extends keyof typeof FAMILIES>(
    family: Family,
    id: unknown,
    ids: { readonly itemId?: string | undefined; readonly callId?: string | undefined },
  ): InstanceType<(typeof FAMILIES)[Family]> {
    this.#lastPlace = this.#places.get(String(id)) ?? this.#lastPlace + BEHIND;
    return this.#reducer.open(family, { index: this.#lastPlace, itemId: undefined, callId: undefined, ...ids });
  }

  #agentOf(id: unknown): unknown {
    return this.#wire.get(String(id))?.['agent'];
  }
}

function sealOf(part: Part): string | undefined {
  return asId(metadataOf(part)['reasoningEncryptedContent']);
}

/** Items whose content is whole in the parts of the stock model. */
const SPOKEN: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

export function isSpoken(item: Part): boolean {
  return SPOKEN.has(asString(item['type']) ?? 'message');
}

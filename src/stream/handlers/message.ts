import type { JsonObject, JsonValue } from '../../core/json.js';
import type { TextContent } from '../../core/message.js';
import type { PartFacts } from '../../core/part.js';
import { asArray, asNumber, asRecord, asString, isRecord } from '../../util/guards.js';
import { sourceOfAnnotation } from '../annotation-source.js';
import type { WireObject } from '../round-state.js';
import { type Address, GrowingTexts, Slot } from '../slot.js';
import { addressOfEvent, type EventTable, type SlotTable } from '../slot-table.js';
import { defined } from '../../util/defined.js';

/** Text and refusals, which are both the model's words to the user. */
export class MessageSlot extends Slot {
  /** By content index. */
  logprobs: JsonValue[] | undefined;
  #partId: string | undefined;
  /** Streamed text by content index; `text` of the whole item is their concatenation. */
  readonly #contents = new GrowingTexts();
  #phase: string | undefined;
  #agent: JsonObject | undefined;
  readonly #annotations: JsonObject[] = [];

  /** The item's last phase counts. */
  begin(item: WireObject): void {
    this.#phase = asString(item['phase']) ?? this.#phase;
    this.#agent = (asRecord(item['agent']) as JsonObject | undefined) ?? this.#agent;
  }

  finish(item: WireObject): void {
    this.begin(item);
    for (const [index, content] of contentsOf(item).entries()) if (isRecord(content)) this.#take(index, content);
    this.close();
  }

  close(): void {
    if (this.done) return;
    this.done = true;
    if (this.#partId !== undefined) this.round.emit({ type: 'text-end', id: this.#partId, facts: this.#facts() });
  }

  content(): TextContent | undefined {
    const text = this.#contents.all().join('');
    if (text === '') return undefined;
    return { type: 'text', text, ...defined({ phase: this.#phase, agent: this.#agent }) };
  }

  /** A finished message under another id is another message. */
  override isAnother(address: Address): boolean {
    return this.done && this.hasOtherIds(address);
  }

  say(index: number, text: string): void {
    if (this.#partId === undefined) {
      this.#partId = this.round.partId(this.key);
      this.round.emit({ type: 'text-start', id: this.#partId, facts: this.#facts() });
    }
    this.#contents.add(index, text);
    this.round.emit({ type: 'text-delta', id: this.#partId, delta: text });
  }

  fillUp(index: number, text: string): void {
    const rest = this.#contents.restOf(index, text);
    if (rest === undefined) this.round.warn('The server repeated its text differently; the streamed one stands.');
    else if (rest !== '') this.say(index, rest);
  }

  annotate(annotations: readonly WireObject[]): void {
    for (const annotation of annotations) {
      this.#annotations.push(annotation as JsonObject);
      const source = sourceOfAnnotation(annotation);
      if (source !== undefined) this.round.cite(source, this.key);
    }
  }

  #take(index: number, content: WireObject): void {
    if (content['type'] === 'refusal') this.round.refused = true;
    if (asArray(content['logprobs']).length > 0) (this.logprobs ??= []).push(content['logprobs'] as JsonValue);
    const text = textOf(content);
    if (text !== undefined && !this.done) this.fillUp(index, text);
    // The item's list is complete, and begins with the entries of earlier events.
    const annotations = asArray(content['annotations']);
    if (annotations.length > 0) this.annotate(annotations.filter(isRecord).slice(this.#annotations.length));
  }

  #facts(): PartFacts {
    return {
      ...defined({ itemId: this.itemId, phase: this.#phase, agent: this.#agent }),
      ...(this.#annotations.length === 0 ? {} : { annotations: [...this.#annotations] }),
      ...(this.logprobs === undefined ? {} : { logprobs: [...this.logprobs] }),
    };
  }
}

export const messageEvents = {
  'response.output_text.delta': append,
  'response.output_text.done': (event, table) => complete(event, event['text'], table),
  'response.refusal.delta': (event, table) => {
    table.round.refused = true;
    append(event, table);
  },
  'response.refusal.done': (event, table) => {
    table.round.refused = true;
    complete(event, event['refusal'], table);
  },
  // A message without its announcement has begun too, so a stream that ends right after it is unfinished.
  'response.content_part.added': (event, table) => {
    const type = asRecord(event['part'])?.['type'];
    if (type === 'output_text' || type === 'refusal') slotAt(addressOfEvent(event), table);
  },
  'response.content_part.done': (event, table) => {
    const part = asRecord(event['part']);
    if (part?.['type'] === 'refusal') table.round.refused = true;
    if (part?.['type'] === 'output_text' || part?.['type'] === 'refusal') complete(event, textOf(part), table);
  },
  'response.output_text.annotation.added': (event, table) => {
    const annotation = asRecord(event['annotation']);
    if (annotation !== undefined) slotAt(addressOfEvent(event), table).annotate([annotation]);
  },
} satisfies EventTable;

function slotAt(address: Address, table: SlotTable): MessageSlot {
  // The table gives what it is asked for.
  return table.findOrAdd('message', address) as MessageSlot;
}

function append(event: WireObject, table: SlotTable): void {
  const { delta } = event;
  if (typeof delta !== 'string' || delta === '') return;
  const address = addressOfEvent(event);
  // The table gives what it is asked for.
  let slot = table.findOrAdd('message', address) as MessageSlot;
  // New text under another id belongs to another item if this one is done (converters that use index 0 for all).
  if (slot.done && address.itemId !== undefined && slot.itemId !== address.itemId)
    slot = table.add('message', address) as MessageSlot;
  if (!slot.done) slot.say(asNumber(event['content_index']) ?? 0, delta);
}

function complete(event: WireObject, text: unknown, table: SlotTable): void {
  if (typeof text !== 'string') return;
  const slot = slotAt(addressOfEvent(event), table);
  if (!slot.done) slot.fillUp(asNumber(event['content_index']) ?? 0, text);
}

/** A few servers send a string instead of a list of contents, or inside it. */
export function contentsOf({ content }: WireObject): readonly unknown[] {
  const contents: unknown[] = [];
  for (const entry of typeof content === 'string' ? [content] : asArray(content))
    contents.push(typeof entry === 'string' ? { type: 'output_text', text: entry } : entry);
  return contents;
}

function textOf(content: WireObject): string | undefined {
  return asString(content['text']) ?? asString(content['refusal']);
}

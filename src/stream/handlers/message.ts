import type { JsonObject, JsonValue } from '../../core/json.js';
import type { PartFacts } from '../../core/part.js';
import { asArray, asNumber, asRecord, asString, isRecord } from '../../util/guards.js';
import { sourceOfAnnotation } from '../annotation-source.js';
import type { EventTable, ItemHandler, RoundState, WireObject } from '../round-state.js';
import type { MessageSlot } from '../slot.js';
import { addressOfEvent } from '../slot-table.js';
import { defined } from '../../util/defined.js';

/** Text and refusals: both are what the model says to the user. */
export const messageHandler: ItemHandler<MessageSlot> = {
  added(slot, item) {
    label(slot, item);
  },

  done(slot, item, state) {
    label(slot, item);
    for (const [index, content] of contentsOf(item).entries())
      if (isRecord(content)) takeContent(slot, index, content, state);
    this.close(slot, state, true);
  },

  close(slot, state) {
    if (slot.done) return;
    slot.done = true;
    if (slot.partId !== undefined) state.emit({ type: 'text-end', id: slot.partId, facts: factsOf(slot) });
  },

  content(slot) {
    const text = slot.contents.all().join('');
    if (text === '') return undefined;
    return { type: 'text', text, ...defined({ phase: slot.phase, agent: slot.agent }) };
  },
};

export const messageEvents: EventTable = {
  'response.output_text.delta': append,
  'response.output_text.done': (event, state) => complete(event, event['text'], state),
  'response.refusal.delta': (event, state) => {
    state.refused = true;
    append(event, state);
  },
  'response.refusal.done': (event, state) => {
    state.refused = true;
    complete(event, event['refusal'], state);
  },
  // A message whose announcement was lost has begun all the same: an end right behind this is no finished answer.
  'response.content_part.added': (event, state) => {
    const type = asRecord(event['part'])?.['type'];
    if (type === 'output_text' || type === 'refusal') state.table.find('message', addressOfEvent(event));
  },
  'response.content_part.done': (event, state) => {
    const part = asRecord(event['part']);
    if (part?.['type'] === 'refusal') state.refused = true;
    if (part?.['type'] === 'output_text' || part?.['type'] === 'refusal') complete(event, textOf(part), state);
  },
  'response.output_text.annotation.added': (event, state) => {
    const annotation = asRecord(event['annotation']);
    if (annotation !== undefined) annotate(state.table.find('message', addressOfEvent(event)), [annotation], state);
  },
};

/** The item's last word counts. */
function label(slot: MessageSlot, item: WireObject): void {
  slot.phase = asString(item['phase']) ?? slot.phase;
  // It came out of JSON.parse, so it is JSON.
  slot.agent = (asRecord(item['agent']) as JsonObject | undefined) ?? slot.agent;
}

function append(event: WireObject, state: RoundState): void {
  const { delta } = event;
  if (typeof delta !== 'string' || delta === '') return;
  const slot = state.table.findOpen('message', addressOfEvent(event));
  if (slot.done) return;
  say(slot, asNumber(event['content_index']) ?? 0, delta, state);
}

function complete(event: WireObject, text: unknown, state: RoundState): void {
  if (typeof text !== 'string') return;
  const slot = state.table.find('message', addressOfEvent(event));
  if (!slot.done) fill(slot, asNumber(event['content_index']) ?? 0, text, state);
}

function takeContent(slot: MessageSlot, index: number, content: WireObject, state: RoundState): void {
  if (content['type'] === 'refusal') state.refused = true;
  // It came out of JSON.parse, so it is JSON.
  if (asArray(content['logprobs']).length > 0) (slot.logprobs ??= []).push(content['logprobs'] as JsonValue);
  const text = textOf(content);
  if (text !== undefined && !slot.done) fill(slot, index, text, state);
  // The item's list is the whole one: what events brought comes first in it.
  const annotations = asArray(content['annotations']);
  if (annotations.length > 0) annotate(slot, annotations.filter(isRecord).slice(slot.annotations.length), state);
}

function fill(slot: MessageSlot, index: number, text: string, state: RoundState): void {
  const rest = slot.contents.restOf(index, text);
  if (rest === undefined)
    state.warn('The server repeated a text differently from what it had streamed; the streamed text stands.');
  else if (rest !== '') say(slot, index, rest, state);
}

function say(slot: MessageSlot, index: number, text: string, state: RoundState): void {
  if (slot.partId === undefined) {
    slot.partId = state.partId(slot.key);
    state.emit({ type: 'text-start', id: slot.partId, facts: factsOf(slot) });
  }
  slot.contents.add(index, text);
  state.emit({ type: 'text-delta', id: slot.partId, delta: text });
}

function annotate(slot: MessageSlot, annotations: readonly WireObject[], state: RoundState): void {
  for (const annotation of annotations) {
    // It came out of JSON.parse, so it is JSON.
    slot.annotations.push(annotation as JsonObject);
    const source = sourceOfAnnotation(annotation);
    if (source !== undefined) state.cite(source, slot.key);
  }
}

function factsOf(slot: MessageSlot): PartFacts {
  return {
    ...defined({ itemId: slot.itemId, phase: slot.phase, agent: slot.agent }),
    ...(slot.annotations.length === 0 ? {} : { annotations: [...slot.annotations] }),
    ...(slot.logprobs === undefined ? {} : { logprobs: [...slot.logprobs] }),
  };
}

/** Some servers write a text where a list of contents should be, or in it. */
export function contentsOf({ content }: WireObject): readonly unknown[] {
  const contents: unknown[] = [];
  for (const entry of typeof content === 'string' ? [content] : asArray(content))
    contents.push(typeof entry === 'string' ? { type: 'output_text', text: entry } : entry);
  return contents;
}

function textOf(content: WireObject): string | undefined {
  return asString(content['text']) ?? asString(content['refusal']);
}

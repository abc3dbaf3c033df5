import type { JsonObject } from '../../core/json.js';
import type { ReasoningContent } from '../../core/message.js';
import type { ReasoningFacts } from '../../core/part.js';
import { asArray, asId, asNumber, asRecord, asString } from '../../util/guards.js';
import type { EventTable, ItemHandler, RoundState, WireObject } from '../round-state.js';
import type { ReasoningSlot } from '../slot.js';
import { addressOfEvent } from '../slot-table.js';
import { defined } from '../../util/defined.js';

type Kind = 'summary' | 'text';

/** A place inside an item: the nth summary, the nth text. */
interface Section {
  readonly kind: Kind;
  readonly index: number;
}

/** Summaries (OpenAI) and raw reasoning text (local servers): each section is a part, the item stays one. */
export const reasoningHandler: ItemHandler<ReasoningSlot> = {
  /** Opened at once, so that "thinking" shows while a server thinks in silence. */
  added(slot, item, state) {
    readFacts(slot, item);
    if (slot.partsOpened === 0) openSection(slot, undefined, state);
  },

  done(slot, item, state) {
    if (slot.done) return;
    readFacts(slot, item);
    // xAI streams raw text and repeats it as a summary.
    if (!repeats(item['summary'], slot.text)) fillSections(slot, 'summary', item['summary'], state);
    if (!repeats(item['content'], slot.summary)) fillSections(slot, 'text', item['content'], state);
    this.close(slot, state, true);
  },

  close(slot, state) {
    if (slot.done) return;
    slot.done = true;
    if (slot.open === undefined && slot.encrypted !== undefined) openSection(slot, undefined, state);
    closeSection(slot, slot.encrypted === undefined ? {} : { encrypted: slot.encrypted }, state);
  },

  content(slot) {
    const empty = slot.encrypted === undefined && slot.summary.isEmpty && slot.text.isEmpty;
    return empty ? undefined : replayOf(slot);
  },
};

function readFacts(slot: ReasoningSlot, item: WireObject): void {
  slot.encrypted = asId(item['encrypted_content']) ?? slot.encrypted;
  // It came out of JSON.parse, so it is JSON.
  slot.agent = (asRecord(item['agent']) as JsonObject | undefined) ?? slot.agent;
}

export const reasoningEvents: EventTable = {
  'response.reasoning_summary_part.added': (event, state) => {
    const slot = slotOf(event, state);
    if (!slot.done) enterSection(slot, { kind: 'summary', index: indexOf(event) }, state);
  },
  'response.reasoning_summary_text.delta': (event, state) => append(event, 'summary', state),
  'response.reasoning_summary_text.done': (event, state) => complete(event, 'summary', event['text'], state),
  'response.reasoning_summary_part.done': (event, state) =>
    complete(event, 'summary', asRecord(event['part'])?.['text'], state),
  'response.reasoning_text.delta': (event, state) => append(event, 'text', state),
  'response.reasoning_text.done': (event, state) => complete(event, 'text', event['text'], state),
  // The names in the Open Responses specification.
  'response.reasoning.delta': (event, state) => append(event, 'text', state),
  'response.reasoning.done': (event, state) => complete(event, 'text', event['text'], state),
};

function append(event: WireObject, kind: Kind, state: RoundState): void {
  const { delta } = event;
  if (typeof delta !== 'string' || delta === '') return;
  const slot = slotOf(event, state);
  if (!slot.done) think(slot, { kind, index: indexOf(event) }, delta, state);
}

function complete(event: WireObject, kind: Kind, text: unknown, state: RoundState): void {
  if (typeof text !== 'string') return;
  const slot = slotOf(event, state);
  if (!slot.done) fill(slot, { kind, index: indexOf(event) }, text, state);
}

function fillSections(slot: ReasoningSlot, kind: Kind, sections: unknown, state: RoundState): void {
  sectionsOf(sections).forEach((section, index) => {
    const text = textOf(section);
    if (text !== undefined) fill(slot, { kind, index }, text, state);
  });
}

/** Whether sections say again what came as sections of the other kind. */
function repeats(sections: unknown, emitted: ReasoningSlot[Kind]): boolean {
  return !emitted.isEmpty && sectionsOf(sections).map(textOf).join('') === emitted.inOrder().join('');
}

/** A text where a list should be is its one section. */
function sectionsOf(sections: unknown): readonly unknown[] {
  return typeof sections === 'string' ? [sections] : asArray(sections);
}

function textOf(section: unknown): string | undefined {
  return asString(section) ?? asString(asRecord(section)?.['text']);
}

function fill(slot: ReasoningSlot, section: Section, text: string, state: RoundState): void {
  const rest = slot[section.kind].restOf(section.index, text);
  if (rest === undefined)
    state.warn('The server repeated its reasoning differently from what it had streamed; the streamed one stands.');
  else if (rest !== '') think(slot, section, rest, state);
}

function think(slot: ReasoningSlot, section: Section, text: string, state: RoundState): void {
  const { kind, index } = section;
  enterSection(slot, section, state);
  slot[kind].add(index, text);
  if (slot.open !== undefined) state.emit({ type: 'reasoning-delta', id: slot.open.partId, delta: text });
}

/** The first section takes over the part that `added` opened; a later one gets its own. */
function enterSection(slot: ReasoningSlot, section: Section, state: RoundState): void {
  const open = slot.open?.section;
  if (open?.kind === section.kind && open.index === section.index) return;
  if (slot.open !== undefined && open === undefined) {
    slot.open = { ...slot.open, section };
    return;
  }
  closeSection(slot, { continues: true }, state);
  openSection(slot, section, state);
}

function closeSection(slot: ReasoningSlot, facts: Omit<ReasoningFacts, 'kind'>, state: RoundState): void {
  if (slot.open === undefined) return;
  const kind = slot.open.section?.kind ?? 'summary';
  state.emit({
    type: 'reasoning-end',
    id: slot.open.partId,
    facts: { ...defined({ itemId: slot.itemId, agent: slot.agent }), reasoning: { kind, ...facts } },
  });
  slot.open = undefined;
}

function openSection(slot: ReasoningSlot, section: Section | undefined, state: RoundState): void {
  const partId = state.partId(slot.partsOpened === 0 ? slot.key : `${slot.key}.${slot.partsOpened}`);
  slot.partsOpened += 1;
  slot.open = { partId, section };
  const facts = defined({ itemId: slot.itemId, agent: slot.agent });
  state.emit({ type: 'reasoning-start', id: partId, ...(Object.keys(facts).length === 0 ? {} : { facts }) });
}

function replayOf(slot: ReasoningSlot): ReasoningContent {
  return {
    type: 'reasoning',
    summary: slot.summary.inOrder(),
    text: slot.text.inOrder(),
    ...defined({ encrypted: slot.encrypted, itemId: slot.itemId, agent: slot.agent }),
  };
}

function indexOf(event: WireObject): number {
  return asNumber(event['summary_index']) ?? asNumber(event['content_index']) ?? 0;
}

function slotOf(event: WireObject, state: RoundState): ReasoningSlot {
  return state.table.find('reasoning', addressOfEvent(event));
}

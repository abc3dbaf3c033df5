import type { AssistantContent } from '../core/message.js';
import { asId, asNumber, asRecord, asString, isRecord } from '../util/guards.js';
import { functionCallHandler } from './handlers/function-call.js';
import type { ItemHandler, WireObject } from './handlers/item-handler.js';
import { messageHandler } from './handlers/message.js';
import { otherHandler } from './handlers/other.js';
import { reasoningHandler } from './handlers/reasoning.js';
import type { RoundState } from './round-state.js';
import { familyOf, type Slot, type SlotFamily } from './slot.js';
import { addressOfItem } from './slot-table.js';

const HANDLERS: { readonly [F in SlotFamily]: ItemHandler<Extract<Slot, { family: F }>> } = {
  message: messageHandler,
  reasoning: reasoningHandler,
  function_call: functionCallHandler,
  other: otherHandler,
};

/** The handler of a slot, whatever its family: TypeScript cannot see that key and value of the table belong together. */
function handlerOf(slot: Slot): ItemHandler<Slot> {
  return HANDLERS[slot.family] as ItemHandler<Slot>;
}

export function addItem(event: WireObject, state: RoundState): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const slot = state.table.open(typeOf(item), addressOfItem(event, item));
  if (!slot.done) handlerOf(slot).added(slot, item, state);
}

export function finishItem(event: WireObject, state: RoundState): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const slot = state.table.findItem(typeOf(item), addressOfItem(event, item));
  if (!slot.done) handlerOf(slot).done(slot, item, state);
}

export function closeItem(slot: Slot, state: RoundState, complete: boolean): void {
  handlerOf(slot).close(slot, state, complete);
}

export function contentOf(slot: Slot): AssistantContent | undefined {
  return handlerOf(slot).content(slot);
}

/**
 * The final snapshot only fills gaps. Its positions mean nothing (Ollama lists calls before the message), so an item is
 * matched by its ids, else it is the nth of its type.
 */
export function fillFromSnapshot(output: readonly unknown[], state: RoundState): void {
  const items = output.filter(isRecord);
  const streamed = [...state.table.slots];
  const taken = new Set<Slot>();
  const match = (item: WireObject): Slot | undefined => {
    const family = familyOf(typeOf(item));
    const address = { index: undefined, itemId: asId(item['id']), callId: asId(item['call_id']) };
    const known = state.table.byIds(family, address);
    const slot = known ?? streamed.find((candidate) => candidate.family === family && !taken.has(candidate));
    if (slot !== undefined) taken.add(slot);
    return slot;
  };
  items.forEach((item, index) => {
    const slot = match(item) ?? openMissed(item, index, streamed, state);
    if (slot !== undefined && !slot.done) handlerOf(slot).done(slot, item, state);
  });
}

/** An item that was never streamed. A message that only repeats what other items said is no news (SGLang). */
function openMissed(item: WireObject, index: number, streamed: readonly Slot[], state: RoundState): Slot | undefined {
  if (streamed.length > 0 && typeOf(item) === 'message' && textOf(item) === '') return undefined;
  const taken = state.table.slots.some((slot) => slot.index === index);
  const address = addressOfItem({ output_index: taken ? undefined : asNumber(index) }, item);
  return state.table.open(typeOf(item), address);
}

function textOf(item: WireObject): string {
  const content = item['content'];
  return Array.isArray(content) ? content.map((part) => asString(asRecord(part)?.['text']) ?? '').join('') : '';
}

function typeOf(item: WireObject): string {
  return asString(item['type']) ?? 'message';
}

import { asId, asNumber, asRecord, asString, isRecord } from '../util/guards.js';
import { functionCallHandler } from './handlers/function-call.js';
import type { ItemHandler, RoundState, WireObject } from './round-state.js';
import { contentsOf, messageHandler } from './handlers/message.js';
import { otherHandler } from './handlers/other.js';
import { reasoningHandler } from './handlers/reasoning.js';
import { familyOf, type Slot, type SlotFamily } from './slot.js';
import { type Address, addressOfItem } from './slot-table.js';

/** The handler of each family. */
export const HANDLERS: Readonly<Record<SlotFamily, ItemHandler<Slot>>> = {
  message: messageHandler,
  reasoning: reasoningHandler,
  function_call: functionCallHandler,
  other: otherHandler,
};

export function addItem(event: WireObject, state: RoundState): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const slot = state.table.open(typeOf(item), addressOfItem(event, item));
  if (!slot.done) HANDLERS[slot.family].added(slot, item, state);
}

export function finishItem(event: WireObject, state: RoundState): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const address = addressOfItem(event, item);
  const found = state.table.findItem(typeOf(item), address);
  const slot = isAnotherCall(found, address, item) ? state.table.add(typeOf(item), address) : found;
  if (!slot.done) HANDLERS[slot.family].done(slot, item, state);
}

/** Gemini relays give two calls one `call_id` and no other (TanStack/ai#199): other arguments make it another call. */
function isAnotherCall(slot: Slot, address: Address, item: WireObject): boolean {
  if (slot.family !== 'function_call' || !slot.done || address.itemId !== undefined || address.index !== undefined)
    return false;
  return slot.name !== item['name'] || slot.final !== item['arguments'];
}

/**
 * The final snapshot only fills gaps. Its positions mean nothing (Ollama lists calls before the message), so an item is
 * matched by its ids, else it is the nth of its type that no id has claimed.
 */
export function fillFromSnapshot(output: readonly unknown[], state: RoundState): void {
  const items = output.filter(isRecord);
  const streamed = [...state.table.slots];
  const inTurn = new Map<SlotFamily, IterableIterator<Slot>>();
  const taken = new Set<Slot>();
  const found: (Slot | undefined)[] = [];
  for (const item of items) {
    const slot = slotByIds(item, state);
    const isFree = slot !== undefined && !taken.has(slot);
    if (isFree) taken.add(slot);
    found.push(isFree ? slot : undefined);
  }
  for (const [index, item] of items.entries()) {
    let slot = found[index] ?? nextOf(familyOf(typeOf(item)), { streamed, inTurn, taken });
    if (slot !== undefined) taken.add(slot);
    slot ??= openMissed(item, index, streamed, state);
    if (slot !== undefined && !slot.done) HANDLERS[slot.family].done(slot, item, state);
  }
}

interface Turns {
  readonly streamed: readonly Slot[];
  /** How far each family was gone through. */
  readonly inTurn: Map<SlotFamily, IterableIterator<Slot>>;
  readonly taken: ReadonlySet<Slot>;
}

/** The next slot of a family that nothing has claimed. */
function nextOf(family: SlotFamily, { streamed, inTurn, taken }: Turns): Slot | undefined {
  const rest = inTurn.get(family) ?? streamed.values();
  inTurn.set(family, rest);
  // By hand: `for` would end the iterator, and the next question goes on where this one stops.
  for (let next = rest.next(); next.done !== true; next = rest.next())
    if (next.value.family === family && !taken.has(next.value)) return next.value;
  return undefined;
}

function slotByIds(item: WireObject, state: RoundState): Slot | undefined {
  const address = { index: undefined, itemId: asId(item['id']), callId: asId(item['call_id']) };
  return state.table.byIds(familyOf(typeOf(item)), address);
}

/** An item that was never streamed. A message that only repeats what other items said is no news (SGLang). */
function openMissed(item: WireObject, index: number, streamed: readonly Slot[], state: RoundState): Slot | undefined {
  if (streamed.length > 0 && typeOf(item) === 'message' && textOf(item) === '') return undefined;
  const taken = state.table.hasIndex(index);
  const address = addressOfItem({ output_index: taken ? undefined : asNumber(index) }, item);
  return state.table.open(typeOf(item), address);
}

function textOf(item: WireObject): string {
  return contentsOf(item)
    .map((part) => asString(asRecord(part)?.['text']) ?? '')
    .join('');
}

function typeOf(item: WireObject): string {
  return asString(item['type']) ?? 'message';
}

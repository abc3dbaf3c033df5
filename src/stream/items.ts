import { asNumber, asRecord, asString, isRecord, rowOf } from '../util/guards.js';
import { callKind, hostedKind } from '../items/kinds.js';
import { AnsweredSlot } from './handlers/answered.js';
import { FunctionCallSlot } from './handlers/function-call.js';
import { HostedSlot } from './handlers/hosted.js';
import { contentsOf, MessageSlot } from './handlers/message.js';
import { KeptSlot } from './handlers/kept.js';
import { ReasoningSlot } from './handlers/reasoning.js';
import { Waiting, type WireObject } from './round-state.js';
import type { Slot, SlotSeed } from './slot.js';
import { addressOfItem, type SlotTable } from './slot-table.js';

/** Item types with a handler of their own. `createSlot` finds the handler of every other type in `src/items`. */
export const FAMILIES = {
  message: MessageSlot,
  reasoning: ReasoningSlot,
  function_call: FunctionCallSlot,
} satisfies Readonly<Record<string, new (seed: SlotSeed) => Slot>>;

export function createSlot(seed: SlotSeed): Slot {
  const Family = rowOf<new (seed: SlotSeed) => Slot>(FAMILIES, seed.itemType);
  if (Family !== undefined) return new Family(seed);
  const call = callKind(seed.itemType);
  if (call !== undefined) return new AnsweredSlot(seed, call);
  const hosted = hostedKind(seed.itemType);
  return hosted === undefined ? new KeptSlot(seed) : new HostedSlot(seed, hosted);
}

export function addItem(event: WireObject, table: SlotTable): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const slot = table.open(typeOf(item), addressOfItem(event, item));
  if (!slot.done) slot.begin(item);
}

export function finishItem(event: WireObject, table: SlotTable): void {
  const item = asRecord(event['item']);
  if (item === undefined) return;
  const slot = table.findItem(typeOf(item), addressOfItem(event, item), item);
  if (!slot.done) slot.finish(item);
}

/**
 * The final snapshot only fills gaps. Its positions mean nothing (Ollama lists calls before the message), so an item is
 * matched by its ids, else it is the nth of its type that no id has claimed.
 */
export function fillFromSnapshot(output: readonly unknown[], table: SlotTable): void {
  const items = output.filter(isRecord);
  const found = findByIds(items, table);
  const claimed = new Set(found.values());
  const inTurn = new Waiting<Slot>();
  for (const slot of inOutputOrder(table.slots)) if (!claimed.has(slot)) inTurn.add(slot.itemType, slot);
  const hasStreamed = table.slots.length > 0;
  for (const [index, item] of items.entries()) {
    const known = found.get(item) ?? inTurn.take(typeOf(item));
    // A message that only repeats the texts of other items is dropped (SGLang).
    if (known === undefined && hasStreamed && typeOf(item) === 'message' && textOf(item) === '') continue;
    const slot = known ?? openMissed(item, index, table);
    if (!slot.done) slot.finish(item);
  }
}

/** The slots that ids claim. Ids of several items (some servers use one for all) claim nothing. */
function findByIds(items: readonly WireObject[], table: SlotTable): ReadonlyMap<WireObject, Slot> {
  const claims = new Map<Slot, WireObject | undefined>();
  for (const item of items) {
    const slot = table.byIds(typeOf(item), addressOfItem({}, item));
    if (slot !== undefined) claims.set(slot, claims.has(slot) ? undefined : item);
  }
  const found = new Map<WireObject, Slot>();
  for (const [slot, item] of claims) if (item !== undefined) found.set(item, slot);
  return found;
}

/** By `output_index` if every item has one; else in order of arrival. */
export function inOutputOrder(slots: readonly Slot[]): readonly Slot[] {
  if (slots.length < 2 || slots.some((slot) => slot.index === undefined)) return slots;
  return slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

/** An item that was never streamed. */
function openMissed(item: WireObject, index: number, table: SlotTable): Slot {
  const place = table.hasIndex(index) ? {} : { output_index: asNumber(index) };
  return table.open(typeOf(item), addressOfItem(place, item));
}

function textOf(item: WireObject): string {
  return contentsOf(item)
    .map((part) => asString(asRecord(part)?.['text']) ?? '')
    .join('');
}

function typeOf(item: WireObject): string {
  return asString(item['type']) ?? 'message';
}

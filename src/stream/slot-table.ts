import { asId, asNumber } from '../util/guards.js';
import { type CallSlot, createSlot, familyOf, type OtherSlot, type Slot, type SlotFamily } from './slot.js';

/**
 * Slots in the order they were opened, asked for the last one that is still open. A slot is never opened again, so those
 * that are done are dropped when they are met: no question goes over the list.
 */
export class SlotStack {
  /** The last one, open or not. */
  last: Slot;
  readonly #open: Slot[];

  constructor(first: Slot) {
    this.last = first;
    this.#open = [first];
  }

  add(slot: Slot): void {
    this.last = slot;
    this.#open.push(slot);
  }

  lastOpen(): Slot | undefined {
    while (this.#open.at(-1)?.done === true) this.#open.pop();
    return this.#open.at(-1);
  }
}

type SlotOf<F extends SlotFamily> = Extract<Slot, { family: F }>;

/** What an event or an item says about where it belongs. */
export interface Address {
  readonly index: number | undefined;
  readonly itemId: string | undefined;
  readonly callId: string | undefined;
}

export function addressOfEvent(event: Readonly<Record<string, unknown>>): Address {
  return {
    index: asNumber(event['output_index']),
    itemId: asId(event['item_id']),
    callId: asId(event['call_id']),
  };
}

export function addressOfItem(
  event: Readonly<Record<string, unknown>>,
  item: Readonly<Record<string, unknown>>,
): Address {
  return { index: asNumber(event['output_index']), itemId: asId(item['id']), callId: asId(item['call_id']) };
}

/**
 * All items of a response, in the order they were opened. Wire ids are aliases, never keys: an item is found by its
 * `output_index`, else its id, else its call id, else because it is the only one it can be.
 */
export class SlotTable {
  readonly slots: Slot[] = [];
  /** Anything but messages and reasoning. */
  holdsCalls = false;
  /** Anything but messages, reasoning and function calls. */
  holdsItems = false;
  readonly #byAlias = new Map<string, Slot>();
  /** By family, by family where no index was given, and by family and index. */
  readonly #stacks = new Map<string, SlotStack>();
  readonly #indexes = new Set<number>();
  /** Holds until anything else is opened or looked for. */
  #lastFound: { readonly slot: Slot; readonly address: Address } | undefined;

  /** `output_item.added`. A used index with another type or id is another item (Ollama gives a message and a call one index). */
  open(itemType: string, address: Address): Slot {
    const known = this.#atIndex(familyOf(itemType), address) ?? this.byIds(familyOf(itemType), address);
    if (known === undefined || isOfAnotherKind(known, itemType)) return this.add(itemType, address);
    const isKnownId = address.itemId !== undefined && known.itemId === address.itemId;
    if (known.family === 'function_call' && isSameCall(known, address)) {
      if (!known.done || isKnownId) return this.#remember(known, address);
      return this.#addRepetition(itemType, address, known);
    }
    if (known.done ? !isKnownId : !sameId(known, address)) return this.add(itemType, address);
    // Announced twice, or an item of a converter that gives all of them one id: what follows decides.
    known.reopened = known.done;
    return this.#remember(known, address);
  }

  /** Under a call id that was used already: the same call once more, or another one of a relay that gives all calls one id. */
  #addRepetition(itemType: string, address: Address, of: CallSlot): Slot {
    const slot = this.add(itemType, address);
    if (slot.family === 'function_call') slot.repeats = of;
    return slot;
  }

  /** The slot an event means; opened on the spot when the server forgot to announce it. */
  find<F extends Exclude<SlotFamily, 'other'>>(family: F, address: Address): SlotOf<F> {
    // Most events are deltas of the same item: what was found for the last one need not be looked for again.
    const last = this.#lastFound;
    if (last?.slot.family === family && !last.slot.done && isSameAddress(last.address, address))
      return last.slot as SlotOf<F>;
    const slot = this.#find(family, address);
    this.#lastFound = { slot, address };
    return slot;
  }

  #find<F extends Exclude<SlotFamily, 'other'>>(family: F, address: Address): SlotOf<F> {
    const known = this.#lookUp(family, address);
    const slot = known === undefined || (known.done && known.reopened) ? this.add(family, address) : known;
    // Every look-up filters by family.
    return this.#remember(slot, address) as SlotOf<F>;
  }

  /** The item of this type that an event means, while it is under way; none is opened for it. */
  findOther(itemType: string, address: Address): OtherSlot | undefined {
    const last = this.#lastFound;
    const isLast = last !== undefined && isSameAddress(last.address, address);
    const slot = isLast ? last.slot : this.#lookUp('other', address);
    if (slot?.family !== 'other' || slot.itemType !== itemType || slot.done) return undefined;
    if (!isLast) this.#lastFound = { slot, address };
    return slot;
  }

  /** The slot a finished item belongs to. */
  findItem(itemType: string, address: Address): Slot {
    const found = this.#lookUp(familyOf(itemType), address);
    const isNew = found === undefined || isOfAnotherKind(found, itemType) || isAnother(found, address);
    return this.#remember(isNew ? this.add(itemType, address) : found, address);
  }

  /** New text for an item that is over, under another id, is another item's (converters that call every index 0). */
  findOpen(family: 'message', address: Address): SlotOf<'message'> {
    const slot = this.find(family, address);
    const another = slot.done && address.itemId !== undefined && slot.itemId !== address.itemId;
    // `add` makes what it is asked for.
    return another ? (this.add(family, address) as SlotOf<'message'>) : slot;
  }

  #lookUp(family: SlotFamily, address: Address): Slot | undefined {
    const known = this.#atIndex(family, address) ?? this.byIds(family, address);
    if (known !== undefined) return known;
    // With an index, what has another one cannot be it; what has this one was looked for.
    const could = this.#stacks.get(address.index === undefined ? family : withoutIndex(family));
    return could?.lastOpen() ?? (hasNoAddress(address) ? could?.last : undefined);
  }

  /** Whether an item has this `output_index`. */
  hasIndex(index: number): boolean {
    return this.#indexes.has(index);
  }

  /** Usually one slot; where a converter gives every item the same index, ids decide, else the one still open. */
  #atIndex(family: SlotFamily, address: Address): Slot | undefined {
    if (address.index === undefined) return undefined;
    const there = this.#stacks.get(atIndex(family, address.index));
    if (there === undefined) return undefined;
    const aliased = this.byIds(family, address);
    if (aliased?.index === address.index) return aliased;
    return there.lastOpen() ?? there.last;
  }

  /** By id or call id only: positions in a final snapshot are not to be trusted. */
  byIds(family: SlotFamily, address: Address): Slot | undefined {
    for (const alias of [address.itemId, address.callId]) {
      const slot = alias === undefined ? undefined : this.#byAlias.get(alias);
      if (slot?.family === family && couldBe(slot, address)) return slot;
    }
    return undefined;
  }

  /** A new item, whatever else bears its ids. */
  add(itemType: string, address: Address): Slot {
    const slot = createSlot({
      key: String(this.slots.length),
      index: address.index,
      itemId: address.itemId,
      itemType,
    });
    this.slots.push(slot);
    this.holdsItems ||= slot.family === 'other';
    this.holdsCalls ||= this.holdsItems || slot.family === 'function_call';
    if (slot.index !== undefined) this.#indexes.add(slot.index);
    this.#stack(slot, slot.family);
    this.#stack(slot, slot.index === undefined ? withoutIndex(slot.family) : atIndex(slot.family, slot.index));
    return this.#remember(slot, address);
  }

  #stack(slot: Slot, name: string): void {
    const stack = this.#stacks.get(name);
    if (stack === undefined) this.#stacks.set(name, new SlotStack(slot));
    else stack.add(slot);
  }

  #remember(slot: Slot, address: Address): Slot {
    this.#lastFound = undefined;
    slot.itemId ??= address.itemId;
    // llama.cpp addresses argument deltas by the call's `call_id` in `item_id`.
    for (const alias of [address.itemId, address.callId]) {
      if (alias !== undefined) this.#byAlias.set(alias, slot);
    }
    return slot;
  }
}

function withoutIndex(family: SlotFamily): string {
  return `${family} without`;
}

function atIndex(family: SlotFamily, index: number): string {
  return `${family} ${index}`;
}

function isSameCall(slot: Slot, address: Address): boolean {
  return slot.family === 'function_call' && address.callId !== undefined && slot.wireCallId === address.callId;
}

/** An output names the id of its call, and is not that call. */
function isOfAnotherKind(slot: Slot, itemType: string): boolean {
  return slot.family === 'other' && slot.itemType !== itemType;
}

/** A finished call with another `call_id` is another call, a finished message under another id another message. */
function isAnother(slot: Slot, address: Address): boolean {
  if (!slot.done) return false;
  if (slot.family === 'function_call')
    return address.callId !== undefined && slot.wireCallId !== undefined && slot.wireCallId !== address.callId;
  return (
    slot.family === 'message' &&
    address.itemId !== undefined &&
    slot.itemId !== undefined &&
    slot.itemId !== address.itemId
  );
}

function couldBe(slot: Slot, address: Address): boolean {
  return slot.index === undefined || address.index === undefined || slot.index === address.index;
}

function sameId(slot: Slot, address: Address): boolean {
  return slot.itemId === undefined || address.itemId === undefined || slot.itemId === address.itemId;
}

function isSameAddress(a: Address, b: Address): boolean {
  return a.index === b.index && a.itemId === b.itemId && a.callId === b.callId;
}

function hasNoAddress(address: Address): boolean {
  return address.index === undefined && address.itemId === undefined && address.callId === undefined;
}

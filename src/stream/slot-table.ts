import { asId, asNumber } from '../util/guards.js';
import type { RoundState, WireObject } from './round-state.js';
import type { Address, Slot, SlotSeed } from './slot.js';

/**
 * Slots in the order they were opened, asked for the last one that is still open. A slot is never opened again, so those
 * that are done are dropped when they are met: no question goes over the list.
 */
class SlotStack {
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

export type EventHandler = (event: WireObject, table: SlotTable) => void;
export type EventTable = Readonly<Record<string, EventHandler>>;

export function addressOfEvent(event: WireObject): Address {
  return {
    index: asNumber(event['output_index']),
    itemId: asId(event['item_id']),
    callId: asId(event['call_id']),
  };
}

export function addressOfItem(event: WireObject, item: WireObject): Address {
  return { index: asNumber(event['output_index']), itemId: asId(item['id']), callId: asId(item['call_id']) };
}

/**
 * All items of a response, in the order they were opened. Wire ids are aliases, never keys: an item is found by its
 * `output_index`, else its id, else its call id, else because it is the only one of its type it can be.
 */
export class SlotTable {
  readonly slots: Slot[] = [];
  readonly round: RoundState;
  readonly #create: (seed: SlotSeed) => Slot;
  readonly #byAlias = new Map<string, Slot>();
  /** By type, by type where no index was given, and by type and index: see `stackName`. */
  readonly #stacks = new Map<string, SlotStack>();
  readonly #indexes = new Set<number>();
  /** Valid until another slot is opened or looked up. */
  #lastFound: { readonly slot: Slot; readonly address: Address } | undefined;

  constructor(round: RoundState, create: (seed: SlotSeed) => Slot) {
    this.round = round;
    this.#create = create;
  }

  /** `output_item.added`. A used index with another type or id is another item (Ollama gives a message and a call one index). */
  open(itemType: string, address: Address): Slot {
    const known = this.#atIndex(itemType, address) ?? this.byIds(itemType, address);
    if (known === undefined || known.isOtherCall(address)) return this.add(itemType, address);
    const isKnownId = address.itemId !== undefined && known.itemId === address.itemId;
    if (known.isSameCall(address)) {
      if (!known.done || isKnownId) return this.#remember(known, address);
      // The same call once more, or another one of a relay that gives all calls one id.
      const repetition = this.add(itemType, address);
      repetition.repeats = known;
      return repetition;
    }
    if (known.done ? !isKnownId : !sameId(known, address)) return this.add(itemType, address);
    // Announced twice, or an item of a converter that gives all of them one id: what follows decides.
    known.reopened = known.done;
    return this.#remember(known, address);
  }

  /** The slot that an event means, if there is one. */
  find(itemType: string, address: Address): Slot | undefined {
    // Most events are deltas of the same item: what was found for the last one need not be looked for again.
    const last = this.#lastFound;
    if (last?.slot.itemType === itemType && !last.slot.done && isSameAddress(last.address, address)) return last.slot;
    const slot = this.#lookUp(itemType, address);
    if (slot === undefined) return undefined;
    this.#remember(slot, address);
    this.#lastFound = { slot, address };
    return slot;
  }

  /** The slot that an event means; opened on the spot when the server forgot to announce it. */
  findOrAdd(itemType: string, address: Address): Slot {
    const known = this.find(itemType, address);
    const isOver = known?.done === true && known.reopened;
    return known === undefined || isOver ? this.add(itemType, address) : known;
  }

  /** The slot a finished item belongs to. */
  findItem(itemType: string, address: Address, item: WireObject): Slot {
    const found = this.#lookUp(itemType, address);
    if (found?.isAnother(address, item) === false) return this.#remember(found, address);
    // Where the one at its place is another, it may be one that was opened without a place, by its deltas.
    const waiting = found === undefined ? undefined : this.#couldBe(itemType, address)?.lastOpen();
    if (waiting === undefined || waiting.isOtherCall(address) || waiting.isAnother(address, item))
      return this.add(itemType, address);
    return this.#remember(waiting, address);
  }

  #lookUp(itemType: string, address: Address): Slot | undefined {
    const known = this.#atIndex(itemType, address) ?? this.byIds(itemType, address);
    if (known !== undefined) return known;
    const could = this.#couldBe(itemType, address);
    return could?.lastOpen() ?? (hasNoAddress(address) ? could?.last : undefined);
  }

  /** With an index, what has another one cannot be it, and what has this one is found by it. */
  #couldBe(itemType: string, { index }: Address): SlotStack | undefined {
    return this.#stacks.get(stackName(itemType, index === undefined ? 'all' : 'none'));
  }

  /** Whether an item of any type has this `output_index`. */
  hasIndex(index: number): boolean {
    return this.#indexes.has(index);
  }

  /** Whether an item of any type may be what an address points at. */
  isTaken(address: Address): boolean {
    if (address.index !== undefined && this.hasIndex(address.index)) return true;
    const slot = address.itemId === undefined ? undefined : this.#byAlias.get(address.itemId);
    return slot !== undefined && couldBe(slot, address);
  }

  /** Returns usually one slot; if a converter gives every item the same index, ids decide, else the open one. */
  #atIndex(itemType: string, address: Address): Slot | undefined {
    if (address.index === undefined) return undefined;
    const there = this.#stacks.get(stackName(itemType, address.index));
    if (there === undefined) return undefined;
    const aliased = this.byIds(itemType, address);
    if (aliased?.index === address.index) return aliased;
    return there.lastOpen() ?? there.last;
  }

  /** By id or call id only: positions in a final snapshot are not to be trusted. An id may be that of all calls: the other decides. */
  byIds(itemType: string, address: Address): Slot | undefined {
    let last: Slot | undefined;
    for (const alias of [address.itemId, address.callId]) {
      const slot = alias === undefined ? undefined : this.#byAlias.get(alias);
      if (slot?.itemType !== itemType || !couldBe(slot, address)) continue;
      if (!slot.isOtherCall(address)) return slot;
      last ??= slot;
    }
    return last;
  }

  /** Adds a new item, even if another has its ids. */
  add(itemType: string, address: Address): Slot {
    const slot = this.#create({ round: this.round, itemType, key: String(this.slots.length), address });
    this.slots.push(slot);
    if (slot.index !== undefined) this.#indexes.add(slot.index);
    for (const place of ['all', slot.index ?? 'none'] as const) {
      const name = stackName(itemType, place);
      const stack = this.#stacks.get(name);
      if (stack === undefined) this.#stacks.set(name, new SlotStack(slot));
      else stack.add(slot);
    }
    return this.#remember(slot, address);
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

/** The place comes first: a server may give any type. */
function stackName(itemType: string, place: number | 'all' | 'none'): string {
  return `${place} ${itemType}`;
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

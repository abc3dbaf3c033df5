import { asId, asNumber } from '../util/guards.js';
import type { RoundState, WireObject } from './round-state.js';
import type { Address, Slot, SlotSeed } from './slot.js';

/**
 * Slots in the order they were opened; finds the last open one. A slot is never reopened, so a lookup drops the
 * finished slots that it meets and never scans the list.
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
 * `output_index`, else its id, else its call id, else as the only possible one of its type.
 */
export class SlotTable {
  readonly slots: Slot[] = [];
  readonly round: RoundState;
  readonly #create: (seed: SlotSeed) => Slot;
  readonly #byAlias = new Map<string, Slot>();
  /** By type, by type without an index, and by type and index: see `stackName`. */
  readonly #stacks = new Map<string, SlotStack>();
  readonly #indexes = new Set<number>();
  /** Valid until another slot is opened or looked up. */
  #lastFound: { readonly slot: Slot; readonly address: Address } | undefined;

  constructor(round: RoundState, create: (seed: SlotSeed) => Slot) {
    this.round = round;
    this.#create = create;
  }

  /**
   * `output_item.added`. A used index with another type or id is another item (Ollama uses one index for a message and
   * a call).
   */
  open(itemType: string, address: Address): Slot {
    const known = this.#atIndex(itemType, address) ?? this.byIds(itemType, address);
    if (known === undefined || known.isOtherCall(address)) return this.add(itemType, address);
    const isKnownId = address.itemId !== undefined && known.itemId === address.itemId;
    if (known.isSameCall(address)) {
      if (!known.done || isKnownId) return this.#remember(known, address);
      // A repeated call, or a new call of a relay that uses one id for all.
      const repetition = this.add(itemType, address);
      repetition.repeats = known;
      return repetition;
    }
    if (known.done ? !isKnownId : !sameId(known, address)) return this.add(itemType, address);
    // The item was announced twice, or a converter uses one id for all items. Later events decide.
    known.reopened = known.done;
    return this.#remember(known, address);
  }

  /** Returns the slot that an event refers to, if it exists. */
  find(itemType: string, address: Address): Slot | undefined {
    // Most events are deltas of one item, so the last slot is remembered.
    const last = this.#lastFound;
    if (last?.slot.itemType === itemType && !last.slot.done && isSameAddress(last.address, address)) return last.slot;
    const slot = this.#lookUp(itemType, address);
    if (slot === undefined) return undefined;
    this.#remember(slot, address);
    this.#lastFound = { slot, address };
    return slot;
  }

  /** Returns the slot that an event refers to; opens it if the server forgot to announce it. */
  findOrAdd(itemType: string, address: Address): Slot {
    const known = this.find(itemType, address);
    const isOver = known?.done === true && known.reopened;
    return known === undefined || isOver ? this.add(itemType, address) : known;
  }

  /** Returns the slot of a finished item. */
  findItem(itemType: string, address: Address, item: WireObject): Slot {
    const found = this.#lookUp(itemType, address);
    if (found?.isAnother(address, item) === false) return this.#remember(found, address);
    // If its place has another item, its own deltas may have opened a slot without a place.
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

  /** With an index, slots with another index cannot match, and a slot with this index is found by it. */
  #couldBe(itemType: string, { index }: Address): SlotStack | undefined {
    return this.#stacks.get(stackName(itemType, index === undefined ? 'all' : 'none'));
  }

  /** Whether an item of any type has this `output_index`. */
  hasIndex(index: number): boolean {
    return this.#indexes.has(index);
  }

  /** Whether an address may refer to an item of any type. */
  isTaken(address: Address): boolean {
    if (address.index !== undefined && this.hasIndex(address.index)) return true;
    const slot = address.itemId === undefined ? undefined : this.#byAlias.get(address.itemId);
    return slot !== undefined && couldBe(slot, address);
  }

  /** Usually returns the only slot; if a converter uses one index for all items, ids decide, else the open one. */
  #atIndex(itemType: string, address: Address): Slot | undefined {
    if (address.index === undefined) return undefined;
    const there = this.#stacks.get(stackName(itemType, address.index));
    if (there === undefined) return undefined;
    const aliased = this.byIds(itemType, address);
    if (aliased?.index === address.index) return aliased;
    return there.lastOpen() ?? there.last;
  }

  /**
   * By id or call id only, because positions in a final snapshot are unreliable. If all calls share one id, the other
   * id decides.
   */
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

/** The place comes before the type, because a server may send any type. */
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

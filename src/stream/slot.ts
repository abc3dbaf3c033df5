import type { AssistantContent } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import type { RoundState, WireObject } from './round-state.js';

/** What an event or an item says about where it belongs. */
export interface Address {
  readonly index: number | undefined;
  readonly itemId: string | undefined;
  readonly callId: string | undefined;
}

export interface SlotSeed {
  readonly round: RoundState;
  readonly itemType: string;
  /** Place in the order of opening: what part ids are made of. */
  readonly key: string;
  readonly address: Address;
}

/** One item of a response while it is read: what is known of it, and what becomes of it at each moment of its life. */
export abstract class Slot {
  readonly itemType: string;
  readonly index: number | undefined;
  /** The first id seen; later ones are aliases (GitHub Copilot sends a new one with every event). */
  itemId: string | undefined;
  done = false;
  /** Announced once more after it was done. */
  reopened = false;
  /** The finished call that this one may only repeat. */
  repeats: Slot | undefined;
  /** The call that it is, as it was emitted. */
  call: RoundToolCall | undefined;
  protected readonly round: RoundState;
  protected readonly key: string;

  constructor({ round, itemType, key, address }: SlotSeed) {
    this.round = round;
    this.itemType = itemType;
    this.key = key;
    this.index = address.index;
    this.itemId = address.itemId;
  }

  /** `output_item.added`: the server announced the item; what stands in it may be a beginning or the whole. */
  abstract begin(item: WireObject): void;

  /** `output_item.done` or the final snapshot: the whole item; fills in what streaming missed. */
  abstract finish(item: WireObject): void;

  /** The round is over: closes what is open. `complete`: the server said it finished everything. */
  abstract close(complete: boolean): void;

  /** What the next request replays; `undefined` when there is nothing worth it. */
  abstract content(): AssistantContent | undefined;

  /** Whether what is announced here is this call once more. */
  isSameCall(_address: Address): boolean {
    return false;
  }

  /** Whether what is finished here is another item than this one, which was finished before. */
  isAnother(_address: Address, _item: WireObject): boolean {
    return false;
  }

  protected claimCallId(wireCallId: string | undefined): string {
    return this.round.ids.claimCallId(wireCallId, this.round.responseId, this.key);
  }
}

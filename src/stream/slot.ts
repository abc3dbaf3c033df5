import type { AssistantContent } from '../core/message.js';
import type { RoundToolCall } from '../core/part.js';
import type { RoundState, WireObject } from './round-state.js';

/** How many pieces are kept before they are joined. */
const PIECES = 256;

/**
 * A text that comes in small pieces. With `+=` the engine keeps each of them, and a node for it, for as long as the text:
 * more than the text itself.
 */
export class GrowingText {
  /** Those that were joined, and behind them those that wait for it. */
  #pieces: string[] = [];
  #joined = 0;

  add(piece: string): void {
    if (this.#pieces.push(piece) - this.#joined < PIECES) return;
    const waiting = this.#pieces.splice(this.#joined);
    this.#joined = this.#pieces.push(waiting.join(''));
  }

  /**
   * What a complete text adds to what was streamed of it: the missing rest or nothing; `undefined` when it differs (then
   * what was streamed stands). Costs no more than the complete text is long: a server may repeat a short one for ever.
   */
  restOf(complete: string): string | undefined {
    let at = 0;
    for (const piece of this.#pieces) {
      if (at + piece.length > complete.length) return piece.startsWith(complete.slice(at)) ? '' : undefined;
      if (!complete.startsWith(piece, at)) return undefined;
      at += piece.length;
    }
    return complete.slice(at);
  }

  toString(): string {
    const whole = this.#pieces.join('');
    this.#pieces = [whole];
    this.#joined = 1;
    return whole;
  }
}

/** The texts of an item by their index in it, in the order they began. */
export class GrowingTexts {
  readonly #texts = new Map<number, GrowingText>();

  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  add(index: number, piece: string): void {
    const known = this.#texts.get(index);
    if (known !== undefined) return known.add(piece);
    const text = new GrowingText();
    text.add(piece);
    this.#texts.set(index, text);
  }

  /** As `GrowingText.restOf`. */
  restOf(index: number, complete: string): string | undefined {
    const text = this.#texts.get(index);
    return text === undefined ? complete : text.restOf(complete);
  }

  all(): string[] {
    return [...this.#texts.values()].map(String);
  }

  inOrder(): string[] {
    return [...this.#texts].toSorted(([a], [b]) => a - b).map(([, text]) => text.toString());
  }
}

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

  /** The call id that the server gave it. */
  get saidCallId(): string | undefined {
    return undefined;
  }

  isOtherCall({ callId }: Address): boolean {
    return callId !== undefined && this.saidCallId !== undefined && callId !== this.saidCallId;
  }

  /** Call ids decide: GitHub Copilot sends another item id with every event. */
  protected hasOtherIds(address: Address): boolean {
    const { callId, itemId } = address;
    if (callId !== undefined && this.saidCallId !== undefined) return this.isOtherCall(address);
    return itemId !== undefined && this.itemId !== undefined && itemId !== this.itemId;
  }

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

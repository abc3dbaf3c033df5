import type { AssistantContent, ToolCallContent } from '../core/message.js';
import type { RoundState, WireObject } from './round-state.js';

/** How many pieces are kept before they are joined. */
const PIECES = 256;

/**
 * A string that arrives in small pieces. With `+=` the engine keeps each piece and a node for it, which is more than
 * the string itself.
 */
export class GrowingText {
  /** Pieces, of which the first `#joined` are already concatenated. */
  #pieces: string[] = [];
  #joined = 0;

  add(piece: string): void {
    if (this.#pieces.push(piece) - this.#joined < PIECES) return;
    const waiting = this.#pieces.splice(this.#joined);
    this.#joined = this.#pieces.push(waiting.join(''));
  }

  /**
   * Returns the part of a complete text that was not streamed; `undefined` if the two differ; then the streamed text is
   * kept. Costs no more than the length of the complete text, because a server may repeat a short text for ever.
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

/** The place that an event or an item names. */
export interface Address {
  readonly index: number | undefined;
  readonly itemId: string | undefined;
  readonly callId: string | undefined;
}

export interface SlotSeed {
  readonly round: RoundState;
  readonly itemType: string;
  /** Place in the order of opening; part ids contain it. */
  readonly key: string;
  readonly address: Address;
}

/** An item of a response while it is read. */
export abstract class Slot {
  readonly itemType: string;
  readonly index: number | undefined;
  /** The first id; later ones are aliases (GitHub Copilot sends a new one with every event). */
  itemId: string | undefined;
  done = false;
  /** The server announced it again after it was done. */
  reopened = false;
  /** The finished call that this call may repeat. */
  repeats: Slot | undefined;
  /** The call as it was emitted. */
  call: ToolCallContent | undefined;
  protected readonly round: RoundState;
  protected readonly key: string;

  constructor({ round, itemType, key, address }: SlotSeed) {
    this.round = round;
    this.itemType = itemType;
    this.key = key;
    this.index = address.index;
    this.itemId = address.itemId;
  }

  /** `output_item.added`: the server announced the item; its content may be partial or whole. */
  abstract begin(item: WireObject): void;

  /** `output_item.done` or the final snapshot: the whole item, which adds what the stream lacked. */
  abstract finish(item: WireObject): void;

  /** Ends the round: closes what is open. `complete`: the server reported that everything is finished. */
  abstract close(complete: boolean): void;

  /** Returns the content for the next request; `undefined` if it is empty. */
  abstract content(): AssistantContent | undefined;

  /** The server's call id. */
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

  /** Whether the server announces this call again. */
  isSameCall(_address: Address): boolean {
    return false;
  }

  /** Whether the finished item is another one than this slot's, which was already finished. */
  isAnother(_address: Address, _item: WireObject): boolean {
    return false;
  }

  protected claimCallId(wireCallId: string | undefined): string {
    return this.round.ids.claimCallId(wireCallId, this.round.responseId, this.key);
  }
}

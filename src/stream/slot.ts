import type { CallMembers } from '../core/call-items.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { RoundToolCall } from '../core/part.js';
import { rowOf } from '../util/guards.js';

/** How many pieces are kept before they are joined. */
const PIECES = 256;

/**
 * A text that comes in small pieces. With `+=` the engine keeps each of them, and a node for it, for as long as the text:
 * more than the text itself.
 */
export class GrowingText {
  /** Pieces that were joined, and pieces that wait for it. */
  #chunks: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) >= PIECES) this.#join();
  }

  /**
   * What a complete text adds to what was streamed of it: the missing rest or nothing; `undefined` when it differs (then
   * what was streamed stands). Costs no more than the complete text is long: a server may repeat a short one for ever.
   */
  restOf(complete: string): string | undefined {
    let at = 0;
    for (const chunks of [this.#chunks, this.#pieces]) {
      for (const chunk of chunks) {
        if (at + chunk.length > complete.length) return chunk.startsWith(complete.slice(at)) ? '' : undefined;
        if (!complete.startsWith(chunk, at)) return undefined;
        at += chunk.length;
      }
    }
    return complete.slice(at);
  }

  toString(): string {
    this.#join();
    if (this.#chunks.length > 1) this.#chunks = [this.#chunks.join('')];
    return this.#chunks[0] ?? '';
  }

  #join(): void {
    if (this.#pieces.length === 0) return;
    this.#chunks.push(this.#pieces.join(''));
    this.#pieces = [];
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

/** The families of output items that have a handler; everything else is kept as it came. */
export type SlotFamily = 'message' | 'reasoning' | 'function_call' | 'other';

interface SlotBase {
  /** Place in the order of opening: what part ids are made of. */
  readonly key: string;
  readonly index: number | undefined;
  /** The first id seen; later ones are aliases (GitHub Copilot sends a new one with every event). */
  itemId: string | undefined;
  done: boolean;
  /** Announced once more after it was done. */
  reopened: boolean;
}

export interface MessageSlot extends SlotBase {
  readonly family: 'message';
  partId: string | undefined;
  /** Streamed text by content index; `text` of the whole item is their concatenation. */
  readonly contents: GrowingTexts;
  phase: string | undefined;
  agent: JsonObject | undefined;
  annotations: JsonObject[];
  /** By content index. */
  logprobs: JsonValue[] | undefined;
}

export interface ReasoningSlot extends SlotBase {
  readonly family: 'reasoning';
  readonly summary: GrowingTexts;
  readonly text: GrowingTexts;
  encrypted: string | undefined;
  agent: JsonObject | undefined;
  /** The part being emitted, and which section it holds once that is known. */
  open:
    | {
        readonly partId: string;
        readonly section: { readonly kind: 'summary' | 'text'; readonly index: number } | undefined;
      }
    | undefined;
  partsOpened: number;
}

export interface CallSlot extends SlotBase {
  readonly family: 'function_call';
  wireCallId: string | undefined;
  name: string | undefined;
  /** What else the items say. */
  members: CallMembers | undefined;
  /** Set once the call has been announced. */
  callId: string | undefined;
  readonly streamed: GrowingText;
  /** The best complete text so far. */
  final: string | undefined;
  /** It parses, so no other is better. */
  finalIsJson: boolean;
  /** Arguments that stood in `output_item.added` already (OpenClaw sends the whole call there). */
  initial: string;
  /** The server said that the arguments are complete. */
  argumentsDone: boolean;
  /** The streamed arguments did not parse although they were announced as complete: those of the item count. */
  awaitsItem: boolean;
  /** The finished call that this one may only repeat: it is emitted if its arguments turn out to be others. */
  repeats: CallSlot | undefined;
  /** The server closed the item as incomplete: there is no call in it. */
  isCut: boolean;
  /** The call as it was emitted, once. */
  emitted: RoundToolCall | undefined;
  inputEnded: boolean;
}

export interface OtherSlot extends SlotBase {
  readonly family: 'other';
  readonly itemType: string;
  item: JsonObject;
  /** A call that the server closed as incomplete. */
  isCut: boolean;
  /** The id of the call that the item is, once it is known. */
  callId: string | undefined;
  /** The input of the call, once it has begun: what was streamed of its text, and what stands behind that. */
  input: { readonly streamed: GrowingText; readonly closing: string; isOpen: boolean } | undefined;
  /** Set where it is a call that the caller has to answer. */
  call: RoundToolCall | undefined;
  /** Something of the result was there before the item was whole. */
  hasPreview: boolean;
}

export type Slot = MessageSlot | ReasoningSlot | CallSlot | OtherSlot;

const FAMILIES: Readonly<Record<string, SlotFamily>> = {
  message: 'message',
  reasoning: 'reasoning',
  function_call: 'function_call',
};

export function familyOf(itemType: string): SlotFamily {
  return rowOf(FAMILIES, itemType) ?? 'other';
}

interface SlotSeed {
  readonly key: string;
  readonly index: number | undefined;
  readonly itemId: string | undefined;
  readonly itemType: string;
}

const CREATE: { readonly [F in SlotFamily]: (base: SlotBase, seed: SlotSeed) => Slot } = {
  message: (base) => ({
    family: 'message',
    partId: undefined,
    contents: new GrowingTexts(),
    phase: undefined,
    agent: undefined,
    annotations: [],
    logprobs: undefined,
    ...base,
  }),
  reasoning: (base) => ({
    family: 'reasoning',
    summary: new GrowingTexts(),
    text: new GrowingTexts(),
    encrypted: undefined,
    agent: undefined,
    open: undefined,
    partsOpened: 0,
    ...base,
  }),
  function_call: (base) => ({
    family: 'function_call',
    wireCallId: undefined,
    name: undefined,
    members: undefined,
    callId: undefined,
    streamed: new GrowingText(),
    final: undefined,
    finalIsJson: false,
    initial: '',
    argumentsDone: false,
    awaitsItem: false,
    repeats: undefined,
    isCut: false,
    emitted: undefined,
    inputEnded: false,
    ...base,
  }),
  other: (base, seed) => ({
    family: 'other',
    itemType: seed.itemType,
    item: {},
    isCut: false,
    callId: undefined,
    input: undefined,
    call: undefined,
    hasPreview: false,
    ...base,
  }),
};

export function createSlot(seed: SlotSeed): Slot {
  const base = { key: seed.key, index: seed.index, itemId: seed.itemId, done: false, reopened: false };
  return CREATE[familyOf(seed.itemType)](base, seed);
}

import type { CarriedCall, Carrier, PlacedCall } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { CallPart, CallToolCall, ContentPart, HeldCall, HiddenCall, KeptItem } from '../core/part.js';
import { capCarrier } from './cap-carrier.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;
type ReasoningEnd = Extract<ContentPart, { type: 'reasoning-end' }>;
type ContentStart = Extract<CallPart, { type: 'text-start' | 'reasoning-start' | 'text-end' | 'shown-item' }>;
type Load = Omit<Carrier, 'v'>;

/** What the caller sees, and what travels hidden. */
export type LoopPart = CallPart | KeptItem | HiddenCall | HeldCall;

/** What carriers of a round of ours alone hang on: its last text where it has one, or always an empty reasoning part. */
export type CarrierPlace = 'metadata' | 'reasoning';

/**
 * Holds a round's last `text-end` back until the outputs of hidden calls are known, so that they can travel in its
 * metadata; where the round has no text, an empty reasoning part carries them, and where the client has calls in it, the
 * first of these. Hidden items and calls travel with the text they stood before, so that replay keeps the order the server
 * made them in.
 */
export class CarrierWriter {
  readonly #newPartId: (slot: string) => string;
  readonly #place: CarrierPlace;
  #held: TextEnd | undefined;
  /** A call was emitted since: what comes now stands behind that, not behind the held text. */
  #isBehindCall = false;
  /** Calls of the client's that are emitted behind what comes now. */
  #behind = new Set<string>();
  /** Hidden items that hang on nothing yet. */
  #items: JsonObject[] = [];
  /** How many of them came before the client's first call. */
  #beforeClient: number | undefined;
  /** Hidden calls likewise. */
  #calls: PlacedCall[] = [];
  /** Calls that went out ahead of their outputs. */
  #placed: Set<string> | undefined;
  #carriers = 0;
  /** What stood before texts and reasoning that are open. */
  #before: Map<string, Load> | undefined;

  constructor(newPartId: (slot: string) => string, place: CarrierPlace = 'metadata') {
    this.#newPartId = newPartId;
    this.#place = place;
  }

  /** Something waits for a part to travel on. */
  get hasPending(): boolean {
    return this.#items.length > 0;
  }

  /** Passes a part on, except what is hidden and a `text-end` that may turn out to be the last. */
  pass(part: LoopPart, out: CallPart[]): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'shown-item':
        return this.#passContent(part, out);
      case 'reasoning-end':
        out.push(this.#load(part, {}));
        return;
      default:
        return this.#passCall(part, out);
    }
  }

  #passCall(part: LoopPart, out: CallPart[]): void {
    switch (part.type) {
      // Parts that announce a call, the first of them first.
      case 'tool-input-start':
      case 'tool-call':
      case 'hosted-call':
        if (part.type === 'tool-call') this.#behind.delete(part.callId);
        out.push(...this.#placeItems(), part);
        return;
      case 'hidden-call':
        this.#calls.push(part.call);
        return;
      case 'held-call':
        this.#behind.add(part.callId);
        this.#beforeClient ??= this.#items.length;
        return;
      case 'item':
        return this.#keep(part.item, out);
      default:
        out.push(part);
    }
  }

  /** Lets the held part go, with nothing but what stood before it. */
  flushHeld(): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [this.#load(held, {})];
  }

  /** The round is settled: everything hidden goes out with the held part, or with one of its own. */
  flushHidden(calls: readonly CarriedCall[], asked: readonly string[] = []): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    const after = this.#takeItems();
    if (held === undefined && calls.length + after.length + asked.length === 0) return [];
    const isBehindCall = held !== undefined && this.#isBehindCall;
    const outputs: Pick<CarriedCall, 'callId' | 'output'>[] = [];
    const rest: CarriedCall[] = [];
    for (const call of calls) {
      if (this.#placed?.has(call.callId) === true) outputs.push({ callId: call.callId, output: call.output });
      else rest.push(call);
    }
    const load = unlessEmpty({ after: isBehindCall ? [] : after, calls: rest, outputs, asked });
    if (held === undefined) return this.#ownPart(load);
    return [this.#load(held, load), ...(isBehindCall ? this.#ownPart(unlessEmpty({ after })) : [])];
  }

  /**
   * The same in a round that the client has calls in: its first call takes everything, also calls that another part placed,
   * since frameworks may drop what stands beside texts and reasoning. They keep what stands beside calls of their tools.
   */
  carryBeside(call: CallToolCall, { calls, order, asked }: Beside): CallToolCall {
    const split = this.#beforeClient ?? this.#items.length;
    const items = this.#takeItems();
    const load = unlessEmpty({ before: items.slice(0, split), after: items.slice(split), calls, order, asked });
    const carrier = toCarrier(load);
    return carrier === undefined ? call : { ...call, carrier };
  }

  #keep(item: JsonObject, out: CallPart[]): void {
    // An output that the server wrote itself travels beside its call.
    if (item['type'] === 'function_call_output') return;
    // Hidden calls that an item stands behind: a part of their own keeps the order.
    if (this.#calls.length > 0) {
      out.push(...this.flushHeld());
      const { behind: _behind, ...hidden } = this.#takeBefore();
      out.push(...this.#ownPart(hidden));
    }
    this.#items.push(item);
  }

  #passContent(part: ContentStart, out: CallPart[]): void {
    // What comes behind a later part would be replayed in the wrong order.
    if (this.#held !== undefined) out.push(...this.flushHeld());
    if (part.type === 'text-end') {
      if (this.#place === 'reasoning') out.push(part);
      else this.#held = part;
      this.#isBehindCall = false;
      return;
    }
    if (this.#items.length + this.#calls.length + this.#behind.size > 0) out.push(...this.#placeBefore(part));
    out.push(part);
  }

  /** What is hidden before a text or reasoning: on that, if it may hang there, else on a part of its own. */
  #placeBefore(part: ContentStart): CallPart[] {
    const { behind, ...hidden } = this.#takeBefore();
    const isOnText = part.type === 'text-start' && this.#place === 'metadata';
    const onPart: Load = { ...(behind && { behind }), ...(isOnText ? hidden : {}) };
    const canHold = isOnText || part.type === 'reasoning-start';
    if (canHold && Object.keys(onPart).length > 0) (this.#before ??= new Map()).set(part.id, onPart);
    return isOnText ? [] : this.#ownPart(hidden);
  }

  /** Items that a call stands behind: on the text before it, else on a part of their own. */
  #placeItems(): CallPart[] {
    const held = this.#isBehindCall ? undefined : this.#held;
    this.#isBehindCall = true;
    const after = this.#takeItems();
    if (after.length === 0) return [];
    if (held === undefined) return this.#ownPart({ after });
    this.#held = undefined;
    return [this.#load(held, { after })];
  }

  #takeBefore(): Load {
    const behind = [...this.#behind];
    const callsBefore = this.#calls;
    // What comes later in the round stands behind the last of them, too.
    this.#behind = new Set(behind.slice(-1));
    this.#calls = [];
    this.#placed ??= new Set();
    for (const { callId } of callsBefore) this.#placed.add(callId);
    return unlessEmpty({ behind, before: this.#takeItems(), callsBefore });
  }

  #takeItems(): JsonObject[] {
    const items = this.#items;
    if (items.length > 0) this.#items = [];
    if (this.#beforeClient !== undefined) this.#beforeClient = 0;
    return items;
  }

  #load<End extends TextEnd | ReasoningEnd>(end: End, load: Load): End {
    const before = this.#before?.get(end.id);
    if (before === undefined && Object.keys(load).length === 0) return end;
    const carrier = toCarrier({ ...before, ...load });
    return carrier === undefined ? end : { ...end, facts: { ...end.facts, carrier } };
  }

  /** An empty reasoning part that carries this. */
  #ownPart(load: Load): CallPart[] {
    const carrier = toCarrier(load);
    if (carrier === undefined) return [];
    const id = this.#newPartId(`carrier${this.#carriers}`);
    this.#carriers += 1;
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, facts: { carrier } },
    ];
  }
}

/** What the first of the client's calls takes along. */
interface Beside {
  readonly calls?: readonly CarriedCall[];
  /** Ids of all calls of the round, unless their parts have its order already. */
  readonly order?: readonly string[];
  /** Ids of what the user was asked about while the client goes on. */
  readonly asked?: readonly string[];
}

/** Without the lists that hold nothing. */
function unlessEmpty(lists: { readonly [Name in keyof Load]: Load[Name] | undefined }): Load {
  const kept: [string, unknown][] = [];
  for (const entry of Object.entries(lists)) if (entry[1] !== undefined && entry[1].length > 0) kept.push(entry);
  // What is left of the lists are those of the object.
  return Object.fromEntries(kept) as Load;
}

/** Above this, a carrier is cut: it is stored with the app's messages. Characters of its JSON. */
const MAX_CARRIER_CHARS = 256_000;

/** `undefined` if it would hold nothing. */
export function toCarrier(load: Load): Carrier | undefined {
  if (Object.keys(load).length === 0) return undefined;
  const carrier = { v: 1, ...load } as const;
  return JSON.stringify(carrier).length <= MAX_CARRIER_CHARS ? carrier : capCarrier(carrier, MAX_CARRIER_CHARS);
}

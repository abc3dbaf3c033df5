import type { CarriedCall, Carrier, PlacedCall } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { CallPart, CallToolCall, ContentPart, HeldCall, HiddenCall, KeptItem } from '../core/part.js';
import { capCarrier } from './cap-carrier.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;
type ReasoningEnd = Extract<ContentPart, { type: 'reasoning-end' }>;
type Before = Pick<Carrier, 'behind' | 'before' | 'callsBefore'>;

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
  #pending: JsonObject[] = [];
  /** How many of them came before the client's first call. */
  #beforeClient: number | undefined;
  /** Hidden calls likewise. */
  #pendingCalls: PlacedCall[] = [];
  /** Calls that went out ahead of their outputs. */
  readonly #placed = new Set<string>();
  #carriers = 0;
  readonly #before = new Map<string, Before>();

  constructor(newPartId: (slot: string) => string, place: CarrierPlace = 'metadata') {
    this.#newPartId = newPartId;
    this.#place = place;
  }

  /** Something waits for a part to travel on. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Passes parts on, except what is hidden and a `text-end` that may turn out to be the last. */
  pass(parts: readonly LoopPart[]): CallPart[] {
    return parts.flatMap((part) => this.#passOne(part));
  }

  /** Lets the held part go, with nothing but what stood before it. */
  release(): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [this.#load(held, {})];
  }

  /** The round is settled: everything hidden goes out with the held part, or with one of its own. */
  carry(calls: readonly CarriedCall[], asked: readonly string[] = []): CallPart[] {
    const after = this.#pending;
    this.#pending = [];
    const outputs = calls
      .filter(({ callId }) => this.#placed.has(callId))
      .map(({ callId, output }) => ({ callId, output }));
    const rest = calls.filter(({ callId }) => !this.#placed.has(callId));
    const isBehindCall = this.#held !== undefined && this.#isBehindCall;
    const load = {
      ...(after.length === 0 || isBehindCall ? {} : { after }),
      ...(rest.length === 0 ? {} : { calls: rest }),
      ...(outputs.length === 0 ? {} : { outputs }),
      ...(asked.length === 0 ? {} : { asked }),
    };
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) {
      const behind = after.length > 0 && isBehindCall ? this.#emptyPart({ v: 1, after }) : [];
      return [this.#load(held, load), ...behind];
    }
    return Object.keys(load).length === 0 ? [] : this.#emptyPart({ v: 1, ...load });
  }

  /**
   * The same in a round that the client has calls in: its first call takes everything, also calls that another part placed,
   * since frameworks may drop what stands beside texts and reasoning. They keep what stands beside calls of their tools.
   */
  carryBeside(call: CallToolCall, { calls = [], order = [], asked = [] }: Beside): CallToolCall {
    const items = this.#pending;
    this.#pending = [];
    const before = items.slice(0, this.#beforeClient);
    const after = items.slice(before.length);
    const load = {
      ...(before.length === 0 ? {} : { before }),
      ...(after.length === 0 ? {} : { after }),
      ...(calls.length === 0 ? {} : { calls }),
      ...(order.length === 0 ? {} : { order }),
      ...(asked.length === 0 ? {} : { asked }),
    };
    const carrier = Object.keys(load).length === 0 ? undefined : capCarrier({ v: 1, ...load });
    return carrier === undefined ? call : { ...call, carrier };
  }

  #passOne(part: LoopPart): CallPart[] {
    if (part.type === 'hidden-call') {
      this.#pendingCalls.push(part.call);
      return [];
    }
    if (part.type === 'held-call') {
      this.#behind.add(part.callId);
      this.#beforeClient ??= this.#pending.length;
      return [];
    }
    if (part.type === 'item') {
      // An output that the server wrote itself travels beside its call.
      if (part.item['type'] === 'function_call_output') return [];
      const calls = this.#placeCalls();
      this.#pending.push(part.item);
      return calls;
    }
    if (part.type === 'tool-call') this.#behind.delete(part.callId);
    if (CALLS.has(part.type)) return [...this.#placeItems(), part];
    if (part.type === 'reasoning-end') return [this.#load(part, {})];
    return opensContent(part) ? this.#passContent(part) : [part];
  }

  #passContent(part: ContentStart): CallPart[] {
    // What comes behind a later part would be replayed in the wrong order.
    const released = this.release();
    if (part.type === 'text-end' && this.#place === 'metadata') {
      this.#held = part;
      this.#isBehindCall = false;
      return released;
    }
    if (part.type === 'text-end') return [part];
    const { behind, ...hidden } = this.#takeBefore();
    const isOnText = part.type === 'text-start' && this.#place === 'metadata';
    const onPart: Before = { ...(behind === undefined ? {} : { behind }), ...(isOnText ? hidden : {}) };
    const canHold = isOnText || part.type === 'reasoning-start';
    if (canHold && Object.keys(onPart).length > 0) this.#before.set(part.id, onPart);
    const ownPart = isOnText || Object.keys(hidden).length === 0 ? [] : this.#emptyPart({ v: 1, ...hidden });
    return [...released, ...ownPart, part];
  }

  /** Items that a call stands behind: on the text before it, else on a part of their own. */
  #placeItems(): CallPart[] {
    const held = this.#isBehindCall ? undefined : this.#held;
    this.#isBehindCall = true;
    const after = this.#takePending();
    if (after.length === 0) return [];
    if (held === undefined) return this.#emptyPart({ v: 1, after });
    this.#held = undefined;
    return [this.#load(held, { after })];
  }

  /** Hidden calls that an item stands behind: a part of their own keeps the order. */
  #placeCalls(): CallPart[] {
    if (this.#pendingCalls.length === 0) return [];
    const released = this.release();
    const { behind: _behind, ...hidden } = this.#takeBefore();
    return [...released, ...this.#emptyPart({ v: 1, ...hidden })];
  }

  #takeBefore(): Before {
    const behind = [...this.#behind];
    const before = this.#takePending();
    const callsBefore = this.#pendingCalls;
    // What comes later in the round stands behind the last of them, too.
    this.#behind = new Set(behind.slice(-1));
    this.#pendingCalls = [];
    for (const { callId } of callsBefore) this.#placed.add(callId);
    return {
      ...(behind.length === 0 ? {} : { behind }),
      ...(before.length === 0 ? {} : { before }),
      ...(callsBefore.length === 0 ? {} : { callsBefore }),
    };
  }

  #takePending(): JsonObject[] {
    const items = this.#pending;
    this.#pending = [];
    if (this.#beforeClient !== undefined) this.#beforeClient = 0;
    return items;
  }

  #load<End extends TextEnd | ReasoningEnd>(end: End, load: Omit<Carrier, 'v' | keyof Before>): End {
    const before = this.#before.get(end.id);
    if (before === undefined && Object.keys(load).length === 0) return end;
    const carrier = capCarrier({ v: 1, ...before, ...load });
    return carrier === undefined ? end : { ...end, facts: { ...end.facts, carrier } };
  }

  #emptyPart(whole: Carrier): CallPart[] {
    const carrier = capCarrier(whole);
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

const CONTENT = ['text-start', 'reasoning-start', 'text-end', 'shown-item'] as const;

type ContentStart = Extract<CallPart, { type: (typeof CONTENT)[number] }>;

/** Parts that show a call, the first of them first. */
const CALLS: ReadonlySet<CallPart['type']> = new Set(['tool-input-start', 'tool-call', 'hosted-call']);

function opensContent(part: CallPart): part is ContentStart {
  return CONTENT.some((type) => type === part.type);
}

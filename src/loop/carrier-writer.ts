import type { CarriedCall, Carrier, PlacedCall } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { CallPart, ContentPart, HiddenCall, KeptItem } from '../core/part.js';
import { capCarrier } from './cap-carrier.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;
type Before = Pick<Carrier, 'before' | 'callsBefore'>;

/**
 * Holds a round's last `text-end` back until the outputs of hidden calls are known, so that they can travel in its
 * metadata; where the round has no text, an empty reasoning part carries them. Hidden items and calls travel with the text
 * they stood before, so that replay keeps the order the server made them in.
 */
export class CarrierWriter {
  readonly #newPartId: (slot: string) => string;
  #held: TextEnd | undefined;
  /** A call was told since: what comes now stands behind that, not behind the held text. */
  #isBehindCall = false;
  /** Hidden items that hang on nothing yet. */
  #pending: JsonObject[] = [];
  /** Hidden calls likewise. */
  #pendingCalls: PlacedCall[] = [];
  /** Calls that went out ahead of their outputs. */
  readonly #placed = new Set<string>();
  #carriers = 0;
  readonly #before = new Map<string, Before>();

  constructor(newPartId: (slot: string) => string) {
    this.#newPartId = newPartId;
  }

  /** Something waits for a part to travel on. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Passes parts on, except hidden items and a `text-end` that may turn out to be the last. */
  pass(parts: readonly (CallPart | KeptItem | HiddenCall)[]): CallPart[] {
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

  #passOne(part: CallPart | KeptItem | HiddenCall): CallPart[] {
    if (part.type === 'hidden-call') {
      this.#pendingCalls.push(part.call);
      return [];
    }
    if (part.type === 'item') {
      // An output that the server wrote itself travels beside its call.
      if (part.item['type'] === 'function_call_output') return [];
      const calls = this.#placeCalls();
      this.#pending.push(part.item);
      return calls;
    }
    if (CALLS.has(part.type)) return [...this.#placeItems(), part];
    if (!opensContent(part)) return [part];
    // What comes behind a later part would be replayed in the wrong order.
    const released = this.release();
    if (part.type === 'text-end') {
      this.#held = part;
      this.#isBehindCall = false;
      return released;
    }
    const before = this.#takeBefore();
    if (before === undefined) return [...released, part];
    if (part.type !== 'text-start') return [...released, ...this.#emptyPart({ v: 1, ...before }), part];
    this.#before.set(part.id, before);
    return [...released, part];
  }

  /** Items that a call stands behind: on the text before it, else on a part of their own. */
  #placeItems(): CallPart[] {
    const held = this.#isBehindCall ? undefined : this.#held;
    this.#isBehindCall = true;
    const after = this.#pending;
    if (after.length === 0) return [];
    this.#pending = [];
    if (held === undefined) return this.#emptyPart({ v: 1, after });
    this.#held = undefined;
    return [this.#load(held, { after })];
  }

  /** Hidden calls that an item stands behind: a part of their own keeps the order. */
  #placeCalls(): CallPart[] {
    if (this.#pendingCalls.length === 0) return [];
    const released = this.release();
    return [...released, ...this.#emptyPart({ v: 1, ...this.#takeBefore() })];
  }

  #takeBefore(): Before | undefined {
    const before = this.#pending;
    const callsBefore = this.#pendingCalls;
    this.#pending = [];
    this.#pendingCalls = [];
    for (const { callId } of callsBefore) this.#placed.add(callId);
    if (before.length + callsBefore.length === 0) return undefined;
    return { ...(before.length === 0 ? {} : { before }), ...(callsBefore.length === 0 ? {} : { callsBefore }) };
  }

  #load(held: TextEnd, load: Omit<Carrier, 'v' | keyof Before>): TextEnd {
    const before = this.#before.get(held.id);
    if (before === undefined && Object.keys(load).length === 0) return held;
    const carrier = capCarrier({ v: 1, ...before, ...load });
    return carrier === undefined ? held : { ...held, facts: { ...held.facts, carrier } };
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

const CONTENT = ['text-start', 'reasoning-start', 'text-end', 'told-item'] as const;

/** Parts that tell a call, the first of them first. */
const CALLS: ReadonlySet<CallPart['type']> = new Set(['tool-input-start', 'tool-call', 'hosted-call']);

function opensContent(part: CallPart): part is Extract<CallPart, { type: (typeof CONTENT)[number] }> {
  return CONTENT.some((type) => type === part.type);
}

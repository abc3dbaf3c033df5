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
  carry(calls: readonly CarriedCall[]): CallPart[] {
    const after = this.#pending;
    this.#pending = [];
    const outputs = calls
      .filter(({ callId }) => this.#placed.has(callId))
      .map(({ callId, output }) => ({ callId, output }));
    const rest = calls.filter(({ callId }) => !this.#placed.has(callId));
    const load = {
      ...(after.length === 0 ? {} : { after }),
      ...(rest.length === 0 ? {} : { calls: rest }),
      ...(outputs.length === 0 ? {} : { outputs }),
    };
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) return [this.#load(held, load)];
    return Object.keys(load).length === 0 ? [] : this.#emptyPart({ v: 1, ...load });
  }

  #passOne(part: CallPart | KeptItem | HiddenCall): CallPart[] {
    if (part.type === 'item' || part.type === 'hidden-call') {
      if (part.type === 'item') this.#pending.push(part.item);
      else this.#pendingCalls.push(part.call);
      return [];
    }
    if (!opensContent(part)) return [part];
    // What comes behind a later part would be replayed in the wrong order.
    const released = this.release();
    if (part.type === 'text-end') {
      this.#held = part;
      return released;
    }
    const before = this.#takeBefore();
    if (before === undefined) return [...released, part];
    if (part.type === 'reasoning-start') return [...released, ...this.#emptyPart({ v: 1, ...before }), part];
    this.#before.set(part.id, before);
    return [...released, part];
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
    return { ...held, facts: { ...held.facts, carrier: capCarrier({ v: 1, ...before, ...load }) } };
  }

  #emptyPart(carrier: Carrier): CallPart[] {
    const id = this.#newPartId(`carrier${this.#carriers}`);
    this.#carriers += 1;
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, facts: { carrier: capCarrier(carrier) } },
    ];
  }
}

function opensContent(
  part: CallPart,
): part is Extract<CallPart, { type: 'text-start' | 'reasoning-start' | 'text-end' }> {
  return part.type === 'text-start' || part.type === 'reasoning-start' || part.type === 'text-end';
}

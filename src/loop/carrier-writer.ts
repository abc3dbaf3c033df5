import type { CarriedCall, Carrier } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { CallPart, ContentPart, KeptItem } from '../core/part.js';
import { capCarrier } from './cap-carrier.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;

/**
 * Holds a round's last `text-end` back until the outputs of hidden calls are known, so that they can travel in its
 * metadata; where the round has no text, an empty reasoning part carries them. Hidden items travel with the text they
 * stood before, so that replay keeps the order the server made them in.
 */
export class CarrierWriter {
  readonly #newPartId: (slot: string) => string;
  #held: TextEnd | undefined;
  /** Hidden items that hang on nothing yet. */
  #pending: JsonObject[] = [];
  #carriers = 0;
  readonly #before = new Map<string, readonly JsonObject[]>();

  constructor(newPartId: (slot: string) => string) {
    this.#newPartId = newPartId;
  }

  /** Something waits for a part to travel on. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Passes parts on, except hidden items and a `text-end` that may turn out to be the last. */
  pass(parts: readonly (CallPart | KeptItem)[]): CallPart[] {
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
    const load = { ...(after.length === 0 ? {} : { after }), ...(calls.length === 0 ? {} : { calls }) };
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) return [this.#load(held, load)];
    return Object.keys(load).length === 0 ? [] : this.#emptyPart({ v: 1, ...load });
  }

  #passOne(part: CallPart | KeptItem): CallPart[] {
    if (part.type === 'item') {
      this.#pending.push(part.item);
      return [];
    }
    if (!opensContent(part)) return [part];
    // What comes behind a later part would be replayed in the wrong order.
    const released = this.release();
    if (part.type === 'text-end') {
      this.#held = part;
      return released;
    }
    const before = this.#pending;
    this.#pending = [];
    if (before.length === 0) return [...released, part];
    if (part.type === 'reasoning-start') return [...released, ...this.#emptyPart({ v: 1, before }), part];
    this.#before.set(part.id, before);
    return [...released, part];
  }

  #load(held: TextEnd, load: Omit<Carrier, 'v' | 'before'>): TextEnd {
    const before = this.#before.get(held.id);
    if (before === undefined && Object.keys(load).length === 0) return held;
    const carrier = capCarrier({ v: 1, ...(before === undefined ? {} : { before }), ...load });
    return { ...held, facts: { ...held.facts, carrier } };
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

function opensContent(part: CallPart): part is Extract<CallPart, { type: 'text-start' | 'reasoning-start' | 'text-end' }> {
  return part.type === 'text-start' || part.type === 'reasoning-start' || part.type === 'text-end';
}

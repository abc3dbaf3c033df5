import { asId, asNumber, asString } from '../util/guards.js';
import type { Part } from './part-metadata.js';

/** Items whose content the stock provider's parts hold whole. */
const SPOKEN: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

export function isSpoken(item: Part): boolean {
  return SPOKEN.has(asString(item['type']) ?? 'message');
}

/** What a place takes that the wire says nothing of: behind what came before it, before what the wire has next. */
const BEHIND = 1 / 1_024;

/** What the wire says of the items of an answer, and the stock provider's parts do not. */
export class WireItems {
  readonly #items = new Map<string, Part>();
  readonly #places = new Map<string, number>();
  #latest = 0;

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** Under its id and its call id; an output names its call, and is not that call. */
  note(item: Part, place: unknown): void {
    const isOutput = asString(item['type'])?.endsWith('_output') === true;
    for (const id of [asId(item['id']), asId(item['call_id'])]) {
      if (id === undefined || (isOutput && this.#items.has(id))) continue;
      this.#items.set(id, item);
      const known = asNumber(place);
      if (known !== undefined) this.#places.set(id, known);
    }
  }

  of(id: unknown): Part | undefined {
    return this.#items.get(String(id));
  }

  placeOf(id: unknown): number {
    this.#latest = this.#places.get(String(id)) ?? this.#latest + BEHIND;
    return this.#latest;
  }
}

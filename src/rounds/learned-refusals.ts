import type { Refusal } from '../request/refusals.js';
import { steadyNow } from '../util/timers.js';

/** How long a refusal is remembered, in milliseconds: servers are upgraded, and relays change their back ends. */
const MEMORY_MS = 3_600_000;
/** The most remembered refusals, because apps let users choose models and tools. The oldest is forgotten first. */
const MAX_REMEMBERED = 1_000;

interface Learned {
  /** Host and model. */
  readonly place: string;
  readonly refusal: Refusal;
  readonly until: number;
}

/** Remembers the refusals of hosts, so that each costs one request and not one per round. */
export class LearnedRefusals {
  readonly known = new Map<string, Learned>();
  readonly #now: () => number;

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  learn(place: string, refusal: Refusal): void {
    const name = `${place} ${JSON.stringify(refusal)}`;
    this.known.delete(name);
    this.known.set(name, { place, refusal, until: this.#now() + MEMORY_MS });
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_REMEMBERED && oldest !== undefined) this.known.delete(oldest);
  }

  at(place: string): readonly Refusal[] {
    const now = this.#now();
    const valid = [...this.known.values()].filter((known) => known.place === place && known.until > now);
    return valid.map(({ refusal }) => refusal);
  }
}

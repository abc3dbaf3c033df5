import type { RoundSummary } from '../core/part.js';
import type { Usage } from '../core/usage.js';

/**
 * Returns the cost of a round in a currency of the app's choice, or `undefined` if it is unknown. This package has no prices.
 *
 * @example
 * price: ({ inputTokens = 0, outputTokens = 0 }) => (inputTokens * 1.25 + outputTokens * 10) / 1_000_000
 */
export type Price = (usage: Usage, modelId: string) => number | undefined;

/** Adds up the cost of a call's rounds, each priced once. */
export class Costs {
  readonly #price: Price | undefined;
  #sum = 0;
  #isKnown = true;
  #count = 0;

  constructor(price: Price | undefined) {
    this.#price = price;
  }

  /** Returns the cost of all rounds, or `undefined` if that of one is unknown. `modelId`: the call's own model. */
  of(rounds: readonly RoundSummary[], modelId: string): number | undefined {
    for (const { usage, modelId: own = modelId } of rounds.slice(this.#count)) {
      const cost = this.#price?.(usage, own);
      if (cost === undefined || !Number.isFinite(cost)) this.#isKnown = false;
      else this.#sum += cost;
    }
    this.#count = rounds.length;
    return this.#isKnown ? this.#sum : undefined;
  }
}

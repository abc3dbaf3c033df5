import { randomBelow, seededRandom } from '../../src/testing/response/rechunk.js';

/** Choices that are the same for the same seed. */
export interface Dice {
  /** From 0 up to, not including, `limit`. */
  below(limit: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(options: readonly T[]): T;
  /** Each option as often as its weight says. */
  weighted<T>(options: readonly (readonly [weight: number, value: T])[]): T;
}

export function createDice(seed: number): Dice {
  const random = seededRandom(Math.imul(seed + 1, 0x9e3779b1));
  const below = (limit: number): number => randomBelow(random, limit);
  const pick = <T>(options: readonly T[]): T => {
    const picked = options[below(options.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => random() < probability,
    pick,
    weighted: (options) => {
      let left = random() * options.reduce((sum, [weight]) => sum + weight, 0);
      const found = options.find(([weight]) => (left -= weight) < 0) ?? options.at(-1);
      if (found === undefined) throw new Error('nothing to pick from');
      return found[1];
    },
  };
}

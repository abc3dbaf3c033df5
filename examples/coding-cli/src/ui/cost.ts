import type { Usage } from '../protocol/events.js';

const MILLION = 1_000_000;

/** Returns the cost of tokens by `IN,OUT` or `IN,OUT,CACHED`, prices of a million each; `undefined` without a price. */
export function costOf(usage: Usage, price: string | undefined): number | undefined {
  if (price === undefined) return undefined;
  const [input = 0, output = 0, cached = input] = price.split(',').map(Number);
  const fresh = usage.input - usage.cached_input;
  return (fresh * input + usage.cached_input * cached + usage.output * output) / MILLION;
}

/** Small amounts keep digits that count. */
export function money(amount: number): string {
  return amount.toFixed(amount < 1 ? 4 : 2);
}

import type { Price } from '../../v4.js';
import { UsageError } from '../command.js';

const MILLION = 1_000_000;

/** Reads `IN,OUT` or `IN,OUT,CACHED`: prices of a million tokens. Without the third, cached input costs as any other. */
export function readPrice(given: string | undefined): Price | undefined {
  if (given === undefined) return undefined;
  const prices = given.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  const [input = Number.NaN, output = Number.NaN, cached = input, ...more] = prices;
  if (more.length > 0 || [input, output, cached].some((price) => !(price >= 0 && price < Infinity)))
    throw new UsageError(
      '--price: it is IN,OUT or IN,OUT,CACHED, each the price of a million tokens, such as 1.25,10,0.125.',
    );
  return ({ inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 }) =>
    ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * output) / MILLION;
}

import type { JsonObject } from './json.js';

/** Token counts, and the cost if the server sends it. A number that the server did not send is absent, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The written tokens that the server keeps for 30 minutes. */
  readonly cacheWrite30mTokens?: number;
  /** The written tokens that the server keeps for 12 hours. */
  readonly cacheWrite12hTokens?: number;
  /** The cost, in xAI's ticks. */
  readonly costInUsdTicks?: number;
  /** The wire object, unchanged. */
  readonly raw?: JsonObject;
}

const COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'cacheWrite30mTokens',
  'cacheWrite12hTokens',
  'costInUsdTicks',
] as const;

/** Adds the known counts. A count that no round reported stays absent, and so does a total that some rounds lack. */
export function sumUsage(rounds: readonly { readonly usage: Usage }[]): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  let hasTotals = true;
  for (const { usage } of rounds) {
    hasTotals &&= usage.totalTokens !== undefined;
    for (const count of COUNTS) {
      const value = usage[count];
      if (value !== undefined) sum[count] = (sum[count] ?? 0) + value;
    }
  }
  if (!hasTotals) delete sum.totalTokens;
  return sum;
}

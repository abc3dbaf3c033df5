import type { JsonObject } from './json.js';

/** Token counts, and the cost where the server says it. A number the server did not send is absent, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** What it cost, in the ticks that xAI counts in. */
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
  'costInUsdTicks',
] as const;

/** Adds up what is known; a count no round reported stays absent, and so does a total that not every round reported. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const usage of usages) {
    for (const count of COUNTS) {
      const value = usage[count];
      if (value !== undefined) sum[count] = (sum[count] ?? 0) + value;
    }
  }
  if (usages.some((usage) => usage.totalTokens === undefined)) delete sum.totalTokens;
  return sum;
}

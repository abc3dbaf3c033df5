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

import type { JsonObject } from './json.js';

/** Token counts, and the cost if the server sends it. A number that the server did not send is absent, never 0. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Of the written tokens, those that the server keeps for 30 minutes. */
  readonly cacheWrite30mTokens?: number;
  /** Of the written tokens, those that the server keeps for 12 hours. */
  readonly cacheWrite12hTokens?: number;
  /** The cost, in xAI's ticks. */
  readonly costInUsdTicks?: number;
  /** The wire object, unchanged. */
  readonly raw?: JsonObject;
}

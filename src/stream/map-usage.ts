import type { JsonObject } from '../core/json.js';
import type { Usage } from '../core/usage.js';
import { asNumber, asRecord } from '../util/guards.js';

/** Reads each number by itself: servers leave usage out, null it, or send it without the detail objects. */
export function mapUsage(wire: unknown): Usage {
  const usage = asRecord(wire);
  if (usage === undefined) return {};
  const input = asRecord(usage['input_tokens_details']);
  const output = asRecord(usage['output_tokens_details']);
  return {
    // It came out of JSON.parse, so it is JSON.
    raw: usage as JsonObject,
    ...count('inputTokens', usage['input_tokens']),
    ...count('outputTokens', usage['output_tokens']),
    ...count('totalTokens', usage['total_tokens']),
    ...count('cachedInputTokens', input?.['cached_tokens']),
    ...count('cacheWriteTokens', input?.['cache_write_tokens']),
    ...count('costInUsdTicks', usage['cost_in_usd_ticks']),
    ...count('reasoningTokens', output?.['reasoning_tokens']),
  };
}

function count(name: Exclude<keyof Usage, 'raw'>, value: unknown): Usage {
  const number = asNumber(value);
  return number === undefined ? {} : { [name]: Math.max(0, number) };
}

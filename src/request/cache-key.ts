import type { Turn } from '../core/entry.js';
import { shortHash } from '../util/hash.js';

/** The value of the option `promptCacheKey` that asks for a key by itself. */
export const AUTO_KEY = 'auto';

/**
 * Returns one key for all calls with the same instructions and tools; nothing of a user's is in it. Servers send requests
 * with one key to one machine, which has their beginning in its cache.
 */
export function cacheKeyOf(instructions: unknown, prompt: readonly Turn[], tools: readonly object[]): string {
  const end = prompt.findIndex(({ role }) => role !== 'system');
  const leading = end < 0 ? prompt : prompt.slice(0, end);
  const texts = leading.map((turn) => (turn.role === 'system' ? turn.text : ''));
  return `responses-loop-${shortHash(JSON.stringify([instructions, texts, tools]))}`;
}

import type { Turn } from '../core/entry.js';
import { shortHash } from '../util/hash.js';

/** The value of the option `promptCacheKey` for an automatic key. */
export const AUTO_KEY = 'auto';

/**
 * Returns one key for all calls with the same instructions and tools. It contains no user data. Servers send requests
 * with one key to one machine, whose cache has their beginning.
 */
export function cacheKeyOf(instructions: unknown, prompt: readonly Turn[], tools: readonly object[]): string {
  const end = prompt.findIndex(({ role }) => role !== 'system');
  const leading = end < 0 ? prompt : prompt.slice(0, end);
  const texts = leading.map((turn) => (turn.role === 'system' ? turn.text : ''));
  return `responses-loop-${shortHash(JSON.stringify([instructions, texts, tools]))}`;
}

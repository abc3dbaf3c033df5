import type { JsonObject } from '../../core/json.js';
import { asId } from '../../util/guards.js';

/** What the stock provider calls the server's summary of a conversation that grew too long. */
export const COMPACTION = 'openai.compaction';

/** Only then can it be given back: without its seal it is an id, and we refer to nothing. */
export function isSealedCompaction(item: JsonObject): boolean {
  return item['type'] === 'compaction' && asId(item['encrypted_content']) !== undefined;
}

import type { JsonObject } from '../../core/json.js';
import { COMPACTION, isSealedCompaction } from '../compaction.js';

/** The server's summary of a long conversation as V4 has it in a prompt; `undefined` for any other item. */
export function toCompaction(item: JsonObject): JsonObject | undefined {
  return isSealedCompaction(item)
    ? {
        type: 'custom',
        kind: COMPACTION,
        providerOptions: {
          openai: { type: 'compaction', itemId: item['id'] ?? '', encryptedContent: item['encrypted_content'] },
        },
      }
    : undefined;
}

import type { JsonObject } from '../core/json.js';
import { COMPACTION, isSealedCompaction } from '../sdk/prompt/compaction.js';

/** The server's summary of a long conversation as V4 has it in a prompt; `undefined` for any other item. */
export function toCompaction(
  item: JsonObject,
  optionsFor: (options: object) => { readonly providerOptions?: object },
): object | undefined {
  if (!isSealedCompaction(item)) return undefined;
  const { id, encrypted_content: encryptedContent } = item;
  return {
    type: 'custom',
    kind: COMPACTION,
    ...optionsFor({ type: 'compaction', itemId: id ?? '', encryptedContent }),
  };
}

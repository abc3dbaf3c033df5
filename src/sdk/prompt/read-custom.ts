import type { AssistantContent } from '../../core/message.js';
import { asId } from '../../util/guards.js';
import { defined } from '../../util/defined.js';
import { COMPACTION } from './compaction.js';
import { serverItem } from '../../core/call-items.js';
import type { PartMetadata } from '../history/part-metadata.js';
import type { PromptReader } from './prompt-reader.js';

/** A part that only its provider understands (`ai` 7). */
export function readCustom(
  part: Readonly<Record<string, unknown>>,
  { own, stock }: PartMetadata,
  reader: PromptReader,
): AssistantContent[] {
  const sealed = part['kind'] === COMPACTION ? asId(stock.encryptedContent) : undefined;
  const { agent } = own;
  if (sealed !== undefined)
    return [
      { type: 'item', item: serverItem({ type: 'compaction', encrypted_content: sealed, ...defined({ agent }) }) },
    ];
  reader.warn(`holds a custom part of kind ${JSON.stringify(part['kind'])}, which cannot be sent`);
  return [];
}

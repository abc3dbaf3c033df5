import type { AssistantContent } from '../core/message.js';
import { asId } from '../util/guards.js';
import { COMPACTION } from './compaction.js';
import { optionsOf, type PromptReader } from './prompt-reader.js';

/** A part that only its provider understands (`ai` 7). */
export function readCustom(part: Readonly<Record<string, unknown>>, reader: PromptReader): AssistantContent[] {
  const { openai } = optionsOf(part);
  const sealed = part['kind'] === COMPACTION ? asId(openai['encryptedContent']) : undefined;
  if (sealed !== undefined) return [{ type: 'item', item: { type: 'compaction', encrypted_content: sealed } }];
  reader.warn(`holds a custom part of kind ${JSON.stringify(part['kind'])}, which cannot be sent`);
  return [];
}

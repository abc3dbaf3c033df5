import type { ChatPart } from '../types.js';

const MARK = 'chat-server';

/** Says in the stored message why the turn failed. The model is never sent it. */
export function errorNote(text: string): ChatPart {
  return { type: 'text', text, state: 'done', providerMetadata: { [MARK]: { note: 'error' } } };
}

export function withoutErrorNote(parts: readonly ChatPart[]): ChatPart[] {
  return parts.filter((part) => !(part.type === 'text' && part.providerMetadata?.[MARK]?.['note'] === 'error'));
}

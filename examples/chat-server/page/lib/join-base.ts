import type { ChatMessage } from '../../src/types.js';
import { isToolPart } from './parts.js';

/**
 * What stood there before the running turn, which plays its chunks from the first one: what it has stored of itself
 * meanwhile would be shown twice. `messageId` is the message that it writes; `isContinued`, if that was begun before.
 */
export function joinBase(
  messages: readonly ChatMessage[],
  messageId: string,
): { readonly messages: ChatMessage[]; readonly isContinued: boolean } {
  const at = messages.findIndex(({ id }) => id === messageId);
  const message = messages[at];
  // Not stored yet: an answer at the end is one that is being made anew.
  if (message === undefined) return { messages: withoutLastAnswer(messages), isContinued: false };
  const before = messages.slice(0, at);
  const parts = partsBefore(message);
  if (parts.length === 0) return { messages: before, isContinued: false };
  return { messages: [...before, { ...message, parts }], isContinued: true };
}

/** A message goes on after its approvals: all up to the last call that was asked about was there before. */
function partsBefore({ parts }: ChatMessage): ChatMessage['parts'] {
  const asked = parts.findLastIndex((part) => isToolPart(part) && part.approval !== undefined);
  const last = parts[asked];
  if (last === undefined || !isToolPart(last) || last.approval?.approved === undefined) return [];
  const { output: _, errorText: __, ...call } = last;
  return [...parts.slice(0, asked), { ...call, state: 'approval-responded' } as ChatMessage['parts'][number]];
}

function withoutLastAnswer(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(0, messages.at(-1)?.role === 'assistant' ? -1 : undefined);
}

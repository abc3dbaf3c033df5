import type { ChatMessage } from '../../src/types.js';
import { isToolPart } from './parts.js';
import type { RunningMessage } from './running-message.js';

/**
 * What stood there before the running turn, which plays its chunks from the first one: what it has stored of itself
 * meanwhile would be shown twice. `isContinued`: the message that it writes was begun before.
 */
export function joinBase(
  messages: readonly ChatMessage[],
  { messageId, partsBefore: count }: RunningMessage,
): { readonly messages: ChatMessage[]; readonly isContinued: boolean } {
  const at = messages.findIndex(({ id }) => id === messageId);
  const message = messages[at];
  // Not stored yet: an answer at the end is one that is being made anew.
  if (message === undefined) return { messages: withoutLastAnswer(messages), isContinued: false };
  const before = messages.slice(0, at);
  const parts = count === undefined ? partsBefore(message) : message.parts.slice(0, count).map(withoutAgentOutput);
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

/** What a sub-agent gave meanwhile comes in the stream. */
function withoutAgentOutput(part: ChatMessage['parts'][number]): ChatMessage['parts'][number] {
  if (part.type !== 'tool-subAgent' || part.state !== 'output-available') return part;
  const { output: _, ...call } = part;
  return { ...call, state: 'input-available' } as ChatMessage['parts'][number];
}

function withoutLastAnswer(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.slice(0, messages.at(-1)?.role === 'assistant' ? -1 : undefined);
}

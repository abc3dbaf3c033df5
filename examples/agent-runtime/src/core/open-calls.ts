import type { AdapterMessage, StoredMessage } from '../types/messages.js';

import { waitingCalls } from './approvals.js';

/** What the model reads in place of a result that never came. */
export const INTERRUPTED_RESULT = 'The call was interrupted before it gave a result.';

/**
 * The calls without a result, but for those that wait for a person. Some servers count the calls of each answer from one, so an id may come again: each result
 * belongs to the call before it.
 */
export function openCalls(messages: readonly StoredMessage[]): StoredMessage[] {
  const open = new Map<string, StoredMessage>();
  for (const message of messages) {
    if (message.type !== 'tool' || message.toolId === undefined) continue;
    if (message.isToolUse === true) open.set(message.toolId, message);
    else open.delete(message.toolId);
  }
  for (const toolId of waitingCalls(messages)) open.delete(toolId);
  return [...open.values()];
}

/** The row that stands in for a call's result. */
export function interruptedResult(call: StoredMessage): AdapterMessage {
  const { toolName, toolId, metadata } = call;
  return {
    type: 'tool',
    content: INTERRUPTED_RESULT,
    isToolUse: false,
    ...(toolName === undefined ? {} : { toolName }),
    ...(toolId === undefined ? {} : { toolId }),
    toolResult: INTERRUPTED_RESULT,
    metadata: {
      isError: true,
      interrupted: true,
      ...(metadata?.providerExecuted === undefined ? {} : { providerExecuted: metadata.providerExecuted }),
    },
  };
}

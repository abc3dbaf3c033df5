import type { StoredMessage } from '../types/messages.js';
import { AgentError } from './agent-error.js';

export const MESSAGE_ID = /^[\w-]{1,64}$/;

/**
 * A sender that lost its connection sends its message again: the session takes it once.
 *
 * @param rows all rows of the session
 * @throws AgentError `bad_message`, `message_exists`
 */
export function checkMessageId(id: string | undefined, rows: readonly StoredMessage[]): void {
  if (id === undefined) return;
  if (!MESSAGE_ID.test(id))
    throw new AgentError('bad_message', 'The id of a message has 1 to 64 letters, digits, "_" and "-".');
  if (rows.some(({ metadata }) => metadata?.messageId === id)) throw messageExists(id);
}

export function messageExists(id: string): AgentError {
  return new AgentError('message_exists', `The session has taken the message "${id}" before. Nothing was changed.`);
}

import { HttpError } from '../errors.js';
import { newId } from '../store/ids.js';
import { normalizeParts } from '../store/normalize-parts.js';
import type { MessageStore } from '../store/message-store.js';
import type { MessageTree } from '../store/tree.js';
import type { ChatPart, ChatRequest, StoredMessage } from '../types.js';
import { badRequest } from './check-request.js';

type Submit = Extract<ChatRequest, { trigger: 'submit-message' }>;

/**
 * A message with a known id is an edit if `messageId` says so. Else a client has sent it twice.
 *
 * @throws HttpError 409 for the second sending, 422 for a message that no user wrote.
 */
export function checkEdit({ id, role }: StoredMessage, { messageId }: Submit): void {
  if (messageId === undefined) throw messageExists(id);
  if (role !== 'user') throw badRequest(`"message.id": the message "${id}" is not one of the user`);
}

export function messageExists(id: string): HttpError {
  return new HttpError(409, 'message_exists', `Message "${id}" exists already. Nothing was changed.`);
}

/** Sent once more as it was, it gets another answer, and no other version. */
export function isSameText(edited: StoredMessage, parts: readonly ChatPart[]): boolean {
  return JSON.stringify(edited.parts) === JSON.stringify(normalizeParts(parts));
}

/** The client knows the new version by the old id. The old version gets another one, and keeps its answers as a branch. */
export async function keepOldVersion(
  messages: MessageStore,
  sessionId: string,
  { edited, tree }: { readonly edited: StoredMessage; readonly tree: MessageTree },
): Promise<void> {
  const old: StoredMessage = { ...edited, id: newId('msg') };
  await messages.save(sessionId, old);
  for (const answer of tree.childrenOf(edited.id))
    await messages.save(sessionId, { ...answer, parentMessageId: old.id });
}

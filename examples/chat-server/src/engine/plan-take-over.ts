import { openAgentCalls } from '../agents/manager.js';
import { planToGoOn } from '../chat/go-on.js';
import { settleCutOff } from '../chat/open-calls.js';
import type { TurnPlan } from '../chat/orchestrator.js';
import type { ModelRegistry } from '../models/registry.js';
import { resolveChatModel } from '../models/resolve-chat-model.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import type { ChatPart } from '../types.js';
import type { TurnInput } from './turn-input.js';

export interface TakeOverParts {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly models: ModelRegistry;
}

/**
 * How a turn goes on whose instance has died: from the last save point of its message, or from the beginning. `undefined`: what
 * it answers was deleted, or its instance died before it was stored, and the client was not told that it was.
 *
 * @throws StoreError. HttpError, if its model is not there any more.
 */
export async function planTakeOver(
  { sessions, messages, models }: TakeOverParts,
  sessionId: string,
  { messageId, parentMessageId, askedAt, choice }: TurnInput,
): Promise<TurnPlan | undefined> {
  const session = await sessions.find(sessionId);
  if (session === undefined) return undefined;
  const chatModel = await resolveChatModel(models, choice);
  const tree = await messages.tree(sessionId);
  const stored = tree.get(messageId);
  const parts = stored === undefined ? [] : partsToGoOn(stored.parts);
  if (stored !== undefined && parts.length > 0) {
    const message = { ...stored, parts };
    // Kept before anything runs: after the next crash no call counts as one that has not begun.
    await messages.save(sessionId, message);
    return { ...planToGoOn({ session, chatModel, tree, message }), isTakenOver: true };
  }
  const path = parentMessageId === null ? [] : tree.pathTo(parentMessageId);
  const asked = path.at(-1);
  if ((asked?.id ?? null) !== parentMessageId || asked?.createdAt !== askedAt) return undefined;
  return { session, chatModel, path, messageId, isTakenOver: true };
}

/** Sub-agents go on by themselves, and questions stay open. Whatever else had begun may have run, and does not run again. */
function partsToGoOn(parts: readonly ChatPart[]): ChatPart[] {
  const agents = new Set<ChatPart>(openAgentCalls(parts));
  return settleCutOff(parts, (part) => agents.has(part) || part.state === 'approval-requested');
}

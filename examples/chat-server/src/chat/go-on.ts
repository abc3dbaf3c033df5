import type { ChatModel } from '../models/resolve-chat-model.js';
import type { MessageTree } from '../store/tree.js';
import type { SessionFile, StoredMessage } from '../types.js';
import { answersIn } from './answer-approvals.js';
import type { TurnPlan } from './orchestrator.js';

export interface GoOn {
  readonly session: SessionFile;
  readonly chatModel: ChatModel;
  readonly tree: MessageTree;
  /** As it is stored by now. */
  readonly message: StoredMessage;
}

/** A turn that goes on with a message of the assistant. */
export function planToGoOn({ session, chatModel, tree, message }: GoOn): TurnPlan {
  const path = [...tree.pathTo(message.id).slice(0, -1), message];
  return { session, chatModel, path, resumed: message, approvals: answersIn(message.parts) };
}

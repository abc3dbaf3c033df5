import type { ChatModel, ChatModelChoice } from '../models/resolve-chat-model.js';
import type { TurnDraft } from '../chat/orchestrator.js';

/** What a turn needs to go on in another instance, beside what is stored. As JSON. */
export interface TurnInput {
  /** Of the message that it writes. */
  readonly messageId: string;
  /** What that answers; `null`, if it is the first of the chat. */
  readonly parentMessageId: string | null;
  /** When the parent was written: a version that replaces it has another time. */
  readonly askedAt: string | undefined;
  readonly choice: ChatModelChoice;
}

export function inputOf({ path, resumed, chatModel }: TurnDraft, messageId: string): TurnInput {
  const parent = path.at(resumed === undefined ? -1 : -2);
  return { messageId, parentMessageId: parent?.id ?? null, askedAt: parent?.createdAt, choice: choiceOf(chatModel) };
}

function choiceOf({ id, source, providerOptions = {} }: ChatModel): ChatModelChoice {
  const [options] = Object.values(providerOptions);
  return { chatModelId: id, chatModelSource: source, reasoningEffort: options?.reasoningEffort };
}

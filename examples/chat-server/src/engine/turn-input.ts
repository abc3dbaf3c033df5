import type { ChatModel, ChatModelChoice } from '../models/resolve-chat-model.js';
import type { TurnPlan } from '../chat/orchestrator.js';

/** What a turn needs to go on in another instance, beside what is stored. As JSON. */
export interface TurnInput {
  /** Of the message that it writes. */
  readonly messageId: string;
  /** What that answers; `null`, if it is the first of the chat. */
  readonly parentMessageId: string | null;
  readonly choice: ChatModelChoice;
}

export function inputOf({ path, resumed, chatModel }: TurnPlan, messageId: string): TurnInput {
  const parentMessageId = resumed === undefined ? (path.at(-1)?.id ?? null) : resumed.parentMessageId;
  return { messageId, parentMessageId, choice: choiceOf(chatModel) };
}

function choiceOf({ id, source, providerOptions = {} }: ChatModel): ChatModelChoice {
  const [options] = Object.values(providerOptions);
  return { chatModelId: id, chatModelSource: source, reasoningEffort: options?.reasoningEffort };
}

import type { RunningTurns } from '../chat/running-turns.js';
import type { ChatQueues } from '../queue/chat-queues.js';
import type { MessageStore } from '../store/message-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import type { ChatsInMemory } from './keep-chats.js';

export interface ChatsInMemoryOptions {
  readonly turns: RunningTurns;
  readonly queues: Pick<ChatQueues, 'forget' | 'written'>;
  readonly messages: Pick<MessageStore, 'forget'>;
  readonly runtime: Pick<ToolRuntime, 'endChat' | 'endTurn' | 'isInUse'>;
}

/** All that a server keeps in memory of single chats. */
export function chatsInMemory({ turns, queues, messages, runtime }: ChatsInMemoryOptions): ChatsInMemory {
  return {
    isInUse: (chat) => turns.get(chat) !== undefined || runtime.isInUse(chat),
    leaveChat: async (chat) => {
      const turn = turns.get(chat);
      turn?.lose();
      await Promise.allSettled([turn?.ended, runtime.endChat(chat)]);
      runtime.endTurn(chat, true);
      await queues.written(chat);
      queues.forget(chat);
      messages.forget(chat);
    },
  };
}

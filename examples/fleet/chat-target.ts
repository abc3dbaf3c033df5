import { ChatClient } from './chat-client.js';
import { converseInChat } from './chat-conversation.js';
import { startChatInstance } from './chat-instance.js';
import type { Target } from './target.js';

let conversations = 0;

export const chatTarget: Target = {
  name: 'chat-server',
  start: startChatInstance,
  // Clients of both kinds.
  converse: (urls, turns) => {
    conversations += 1;
    return converseInChat(new ChatClient(urls, conversations % 2 === 0 ? 'number' : 'start'), turns);
  },
};

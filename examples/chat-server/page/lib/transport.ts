import { DefaultChatTransport } from 'ai';
import type { ApprovalAnswer, ChatMessage, ChatModelSource, ChatPart } from '../../src/types.js';
import { type Connection, createResilientFetch } from './resilient-fetch.js';

export interface ModelChoice {
  readonly chatModelId: string;
  readonly chatModelSource: ChatModelSource;
  /** A level of reasoning that the model has. Absent: its own default. */
  readonly reasoningEffort?: string;
}

/** What a call of `useChat` may say beside its message. */
export interface TurnBody {
  readonly approvals?: readonly ApprovalAnswer[];
  /** An edit begins a branch there; `null` is a first message. */
  readonly parentMessageId?: string | null;
  /** Reads the running turn instead of beginning one. */
  readonly isJoin?: boolean;
}

/** Sends what the API takes and nothing else: the server has the conversation, and believes no other. */
export function createTransport(options: {
  readonly choice: () => ModelChoice | undefined;
  readonly onConnection: (connection: Connection) => void;
}): DefaultChatTransport<ChatMessage> {
  return new DefaultChatTransport<ChatMessage>({
    api: '/api/chat',
    fetch: createResilientFetch({ onConnection: options.onConnection }),
    prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body, api }) => {
      const turn: TurnBody = body ?? {};
      if (turn.isJoin === true) return { api: `${api}/${encodeURIComponent(id)}/stream`, body: { id } };
      const common = turnBody(id, options.choice());
      if (turn.approvals) {
        return { body: { ...common, trigger: 'approval-response', approvals: turn.approvals } };
      }
      // Without an id it is the last answer that is made anew; with one a message that is sent is an edit.
      if (trigger === 'regenerate-message') return { body: { ...common, trigger, messageId } };
      const { parentMessageId } = turn;
      return { body: { ...common, trigger, message: userMessage(messages.at(-1)), messageId, parentMessageId } };
    },
  });
}

/** What every request for a turn has. */
export function turnBody(id: string, choice: ModelChoice | undefined): object {
  return { id, ...choice, intent: 'chat', responseMode: 'stream' };
}

function userMessage(message: ChatMessage | undefined): object {
  if (message?.role !== 'user') throw new Error('You can only send your own messages.');
  return { id: message.id, role: 'user', parts: message.parts.filter(isSent) };
}

function isSent({ type }: ChatPart): boolean {
  return type === 'text' || type === 'file' || type === 'data-skill';
}

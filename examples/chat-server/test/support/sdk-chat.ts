import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as ai6 from 'ai';
import { AbstractChat, type ChatState, type ChatStatus, type ChatTransport, type UIMessage } from 'ai';
import type { ChatMessage } from '../../src/types.js';
import type { ChatClient } from './chat-client.js';

export type Sdk = Pick<
  typeof ai6,
  'AbstractChat' | 'DefaultChatTransport' | 'lastAssistantMessageIsCompleteWithApprovalResponses'
>;

/** Installed by the suite of the SDKs. */
const LATER = fileURLToPath(new URL('../../../../test/sdks/node_modules', import.meta.url));
const AI_7 = join(LATER, 'ai-7', 'dist', 'index.js');

/** The majors of the AI SDK that are installed. */
export const SDKS: readonly (readonly [string, Sdk])[] = [
  ['ai 6', ai6],
  ...(existsSync(AI_7) ? [['ai 7', (await import(AI_7)) as Sdk] as const] : []),
];

/** How a page sends: as the page of this server does, or whatever the SDK sends by itself. */
export const TRANSPORTS = ['mapped', 'stock'] as const;

interface Sent {
  readonly id: string;
  readonly messages: readonly ChatMessage[];
  readonly trigger: 'submit-message' | 'regenerate-message';
  readonly messageId: string | undefined;
}

export interface SdkChatOptions {
  readonly sdk: Sdk;
  readonly server: ChatClient;
  readonly id: string;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly messages?: readonly ChatMessage[];
  readonly sendsAutomatically?: boolean;
  readonly onStatus?: (status: ChatStatus) => void;
}

/** The AI SDK's own client, with a state that no page looks at. */
export function sdkChat(options: SdkChatOptions): AbstractChat<ChatMessage> {
  const { sdk, id, messages = [], sendsAutomatically = false, onStatus } = options;
  class SdkChat extends sdk.AbstractChat<ChatMessage> {}
  return new SdkChat({
    id,
    state: new PlainState([...messages], onStatus),
    transport: transportOf(options),
    ...(sendsAutomatically && { sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses }),
  });
}

function transportOf({ sdk, server, transport }: SdkChatOptions): ChatTransport<ChatMessage> {
  return new sdk.DefaultChatTransport<ChatMessage>({
    api: `http://127.0.0.1:${server.port}/api/chat`,
    headers: server.headers,
    ...(transport === 'mapped' && {
      prepareSendMessagesRequest: (request) => ({ body: asThePage(request) }),
    }),
  });
}

/** As `page/lib/transport.ts` does, which needs a browser. */
function asThePage({ id, messages, trigger, messageId }: Sent): object {
  const { role, parts, ...message } = messages.at(-1) ?? { role: 'user', parts: [], id: '' };
  if (trigger === 'regenerate-message') return { id, trigger, messageId };
  return { id, trigger, message: { id: message.id, role, parts }, messageId };
}

class PlainState<Message extends UIMessage> implements ChatState<Message> {
  messages: Message[];
  error: Error | undefined;
  readonly #onStatus: ((status: ChatStatus) => void) | undefined;
  #status: ChatStatus = 'ready';

  constructor(messages: Message[], onStatus?: (status: ChatStatus) => void) {
    this.messages = messages;
    this.#onStatus = onStatus;
  }

  get status(): ChatStatus {
    return this.#status;
  }

  set status(status: ChatStatus) {
    this.#status = status;
    this.#onStatus?.(status);
  }

  pushMessage = (message: Message): void => {
    this.messages = [...this.messages, message];
  };

  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };

  replaceMessage = (index: number, message: Message): void => {
    this.messages = this.messages.with(index, message);
  };

  snapshot = <T>(value: T): T => structuredClone(value);
}

/** What a page begins with that is opened, or opened anew. */
export async function storedMessages(server: ChatClient, id: string, count?: number): Promise<ChatMessage[]> {
  const { messages } = await server.session(id);
  return messages.slice(0, count).map(({ id: messageId, role, parts, metadata }) => ({
    id: messageId,
    role: role === 'subagent' ? 'assistant' : role,
    parts: [...parts],
    metadata,
  }));
}

/** What a person sees of a message. */
export function shown(messages: readonly Pick<ChatMessage, 'id' | 'role' | 'parts'>[]): unknown[] {
  return messages.map(({ id, role, parts }) => [
    id,
    role,
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  ]);
}

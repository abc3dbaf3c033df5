import type { CallingMessage, OnOutput } from '../agents/manager.js';
import type { ChatPart, ChatWriter, StoredMessage } from '../types.js';
import { SAVE_POINT } from './save-points.js';

/** Puts what sub-agents give into the message of the chat that goes on: into its record, and for the model. */
export class AgentOutputs {
  readonly #message: StoredMessage;
  readonly #writer: ChatWriter;
  #parts: readonly ChatPart[];

  constructor(message: StoredMessage, writer: ChatWriter) {
    this.#message = message;
    this.#writer = writer;
    this.#parts = message.parts;
  }

  get calling(): CallingMessage {
    return { messageId: this.#message.id, parts: this.#parts };
  }

  /** With the outputs so far. */
  get message(): StoredMessage {
    return { ...this.#message, parts: this.#parts };
  }

  readonly add: OnOutput = ({ toolCallId }, output) => {
    this.#parts = this.#parts.map((part) =>
      'toolCallId' in part && part.toolCallId === toolCallId
        ? ({ ...part, state: 'output-available', output } as ChatPart)
        : part,
    );
    this.#writer.write({ type: 'tool-output-available', toolCallId, output });
    this.#writer.write(SAVE_POINT);
  };
}

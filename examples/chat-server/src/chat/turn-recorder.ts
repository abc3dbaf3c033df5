import { normalizeParts, type TurnEnd } from '../store/normalize-parts.js';
import { KeptCalls, type WhenKept } from '../store/kept-calls.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import { type ChatPart, type MessageMetadata, NO_USAGE, type StoredMessage, type UsageData } from '../types.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import type { Failure } from './describe-error.js';
import { errorNote } from './error-note.js';
import { addUsage } from './usage.js';

export interface TurnRecorderOptions {
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly sessionId: string;
  readonly messageId: string;
  readonly parentMessageId: string | null;
  readonly chatModel: ChatModel;
  /** The message that goes on, as it is stored. */
  readonly resumed?: StoredMessage | undefined;
}

export interface Outcome {
  readonly end: TurnEnd;
  readonly failure?: Failure | undefined;
  readonly isAborted?: boolean | undefined;
}

const STILL_AT_IT: Outcome = { end: 'cut' };

/** Stores the assistant's message of a turn as it grows. */
export class TurnRecorder {
  readonly #options: TurnRecorderOptions;
  readonly #startedAt = Date.now();
  readonly #createdAt: string;
  #usage: UsageData = NO_USAGE;
  #stored: StoredMessage | undefined;
  readonly #kept = new KeptCalls();
  #storedText = '';

  constructor(options: TurnRecorderOptions) {
    this.#options = options;
    this.#createdAt = options.resumed?.createdAt ?? new Date().toISOString();
    this.#stored = options.resumed;
    this.#kept.note(options.resumed?.parts ?? []);
  }

  /** As it is on disk; `undefined`, if nothing was said. */
  get stored(): StoredMessage | undefined {
    return this.#stored;
  }

  /** Of this stretch of the message. */
  get usage(): UsageData {
    return this.#usage;
  }

  /** Resolves when this call is on disk. */
  readonly whenKept: WhenKept = (toolCallId, signal) => this.#kept.when(toolCallId, signal);

  addUsage(usage: UsageData): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /** @throws StoreError. An empty message is not stored, and one that has not changed is not stored again. */
  async save(parts: readonly ChatPart[], outcome: Outcome = STILL_AT_IT): Promise<void> {
    const { messages, sessions, sessionId } = this.#options;
    const { end, failure, isAborted = false } = outcome;
    const note = failure === undefined ? [] : [errorNote(failure.message)];
    const kept = [...normalizeParts(parts, end), ...note];
    if (kept.length === 0) return;
    const text = JSON.stringify([kept, isAborted, this.#usage]);
    if (text === this.#storedText) return;
    const isFirst = this.#stored === undefined;
    const message: StoredMessage = {
      id: this.#options.messageId,
      parentMessageId: this.#options.parentMessageId,
      role: 'assistant',
      messageKind: failure === undefined ? 'normal' : 'error',
      parts: kept,
      metadata: this.#metadata(outcome),
      createdAt: this.#createdAt,
    };
    await messages.save(sessionId, message);
    this.#stored = message;
    this.#storedText = text;
    this.#kept.note(kept);
    if (isFirst) await sessions.update(sessionId, { leafId: message.id });
  }

  /** After the last save. */
  async close(): Promise<void> {
    const { sessions, sessionId } = this.#options;
    await sessions.update(sessionId, ({ usage }) => ({ usage: addUsage(usage, this.#usage) }));
  }

  #metadata({ failure, isAborted }: Outcome): MessageMetadata {
    const { resumed, chatModel } = this.#options;
    return {
      usage: addUsage(resumed?.metadata.usage ?? NO_USAGE, this.#usage),
      elapsedMs: (resumed?.metadata.elapsedMs ?? 0) + Date.now() - this.#startedAt,
      chatModelId: chatModel.id,
      chatModelSource: chatModel.source,
      ...(isAborted === true ? { isAborted } : {}),
      ...(failure === undefined ? {} : { error: failure }),
    };
  }
}

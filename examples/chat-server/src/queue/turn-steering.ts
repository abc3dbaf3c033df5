import { randomUUID } from 'node:crypto';
import { type LanguageModel, type ModelMessage, wrapLanguageModel } from 'ai';
import { createSteering, type LoopSettings } from 'responses-loop/v3';
import type { ChatChunk, ChatPart } from '../types.js';
import type { ChatQueue } from './chat-queues.js';
import { type QueuedMessage, textOf } from './message-queue.js';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];
type Stream = Awaited<ReturnType<Model['doStream']>>['stream'];
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
type SteeredChunk = Extract<ChatChunk, { type: 'data-steered' }>;

/**
 * Lets the model of one turn hear what a person says meanwhile, at its next tool boundary: between two rounds of a provider
 * of ours, and between two steps of the AI SDK. Where it was heard is marked in the model's own stream, by a source that no
 * one is shown, so that the record has it between what was said before and after.
 */
export class TurnSteering {
  readonly #chat: ChatQueue;
  readonly #steering = createSteering();
  /** Of rounds that are not open yet. */
  readonly #handed = new Set<Promise<void>>();
  /** Steps are built anew from what the model said: what a person said between them is put back each time. */
  readonly #said: { readonly at: number; readonly messages: readonly ModelMessage[] }[] = [];
  /** Of a step whose answer has not begun. */
  #due: QueuedMessage[] = [];
  readonly #marks = new Map<string, QueuedMessage>();

  constructor(chat: ChatQueue) {
    this.#chat = chat;
  }

  /** For a provider of ours. Nothing is handed over before it will be sent: until then it can be taken back. */
  get settings(): LoopSettings {
    return { steering: this.#steering, prepareRound: () => this.#handOver() };
  }

  /** What the next step of the AI SDK has the model read. */
  async before(messages: ModelMessage[]): Promise<ModelMessage[]> {
    // Their call is over, so they have settled, or do so now.
    await Promise.all(this.#handed);
    const taken = isApprovalOfProvider(messages) ? [] : this.#take();
    this.#due.push(...taken);
    if (taken.length > 0) this.#said.push({ at: messages.length, messages: taken.map(userMessage) });
    return this.#said.length === 0 ? messages : this.#withSaid(messages);
  }

  /** Marks in its stream where the model has heard something. */
  wrap(model: LanguageModel): Exclude<LanguageModel, string> {
    return wrapLanguageModel({
      model: model as Model,
      middleware: {
        specificationVersion: 'v3',
        wrapStream: async ({ doStream }) => {
          const result = await doStream();
          return { ...result, stream: this.#marked(result.stream) };
        },
      },
    });
  }

  /** What a chunk of the stream is on the page and in the record. */
  readonly shown = (chunk: ChatChunk): ChatChunk => {
    const message = chunk.type === 'source-document' ? this.#marks.get(chunk.sourceId) : undefined;
    return message === undefined ? chunk : chunkOf(message);
  };

  /** They are on disk: what was heard waits no longer. */
  saved(parts: readonly ChatPart[]): void {
    for (const part of parts)
      if (part.type === 'data-steered' && this.#chat.queue.has(part.data.id))
        this.#chat.changeSoon((queue) => queue.drop(part.data.id));
  }

  #handOver(): undefined {
    for (const message of this.#take()) {
      const handed = this.#steering.steer(textOf(message.parts)).then((outcome) => {
        this.#handed.delete(handed);
        if (outcome === 'delivered') this.#due.push(message);
        else this.#chat.mark((queue) => queue.giveBack(message.id));
      });
      this.#handed.add(handed);
    }
  }

  #take(): readonly QueuedMessage[] {
    const waits = this.#chat.queue.items.some(({ whileRunning }) => whileRunning === 'steer');
    return waits ? this.#chat.mark((queue) => queue.takeSteered()) : [];
  }

  #withSaid(messages: readonly ModelMessage[]): ModelMessage[] {
    return [...messages.keys(), messages.length].flatMap((index) => [
      ...this.#said.flatMap((said) => (said.at === index ? said.messages : [])),
      ...messages.slice(index, index + 1),
    ]);
  }

  /** It is read as it comes: with parts held back, a mark would overtake them. */
  #marked(stream: Stream): Stream {
    const asItComes = new CountQueuingStrategy({ highWaterMark: Infinity });
    return stream.pipeThrough(
      new TransformStream<StreamPart, StreamPart>(
        {
          transform: (part, controller) => {
            if (part.type !== 'stream-start') for (const mark of this.#newMarks()) controller.enqueue(mark);
            controller.enqueue(part);
          },
        },
        undefined,
        asItComes,
      ),
    );
  }

  #newMarks(): readonly StreamPart[] {
    if (this.#due.length === 0) return [];
    const due = this.#due;
    this.#due = [];
    return due.map((message) => {
      const id = randomUUID();
      this.#marks.set(id, message);
      return { type: 'source', sourceType: 'document', id, mediaType: 'text/plain', title: '' };
    });
  }
}

/** The provider runs what was approved first, and reads a message behind the answer as another answer. */
function isApprovalOfProvider(messages: readonly ModelMessage[]): boolean {
  const answers = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1);
  return answers.some(
    ({ role, content }) =>
      role === 'tool' &&
      content.some((part) => part.type === 'tool-approval-response' && part.providerExecuted === true),
  );
}

function userMessage({ parts }: QueuedMessage): ModelMessage {
  return { role: 'user', content: textOf(parts) };
}

function chunkOf({ id, parts }: QueuedMessage): SteeredChunk {
  return { type: 'data-steered', data: { id, text: textOf(parts) } };
}

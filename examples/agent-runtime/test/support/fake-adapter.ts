import type { AdapterMessage, AdapterOptions, AgentAdapter, DriverStreamEvent, UserMessage } from '../../src/index.js';

type Answer = (
  prompt: UserMessage,
  options: AdapterOptions,
  say: (type: DriverStreamEvent['type'], data: unknown) => void,
) => AsyncIterable<AdapterMessage> | AsyncGenerator<AdapterMessage>;

/** An adapter that answers as the test says, and remembers what it was asked. */
export class FakeAdapter implements AgentAdapter {
  readonly asked: { readonly prompt: UserMessage; readonly options: AdapterOptions }[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer = greet) {
    this.#answer = answer;
  }

  getName(): string {
    return 'fake';
  }

  async *stream(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage> {
    this.asked.push({ prompt, options });
    const say = (type: DriverStreamEvent['type'], data: unknown): void =>
      options.onEvent?.({ type, timestamp: Date.now(), data } as DriverStreamEvent);
    yield* this.#answer(prompt, options, say);
  }
}

const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2 };

export const greet: Answer = async function* (_prompt, _options, say) {
  say('message_start', { messageId: 'm1', model: 'fake' });
  say('text_delta', { text: 'Hello.' });
  yield { type: 'agent', content: 'Hello.' };
  say('message_delta', { usage: USAGE });
  say('message_stop', { stopReason: 'end_turn' });
};

/** Says something, and goes on until it is stopped. */
export const talkOn: Answer = async function* (_prompt, { signal }, say) {
  say('message_start', { messageId: 'm1', model: 'fake' });
  say('text_delta', { text: 'And so' });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  yield { type: 'agent', content: 'And so' };
  say('interrupted', { reason: 'user' });
};

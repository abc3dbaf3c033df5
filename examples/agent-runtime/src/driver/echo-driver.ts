import type { Driver, DriverConfig, SendOptions } from '../types/driver.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { UserMessage } from '../types/messages.js';
import { contentText } from '../core/content.js';
import { DriverState, type Reception } from './driver-state.js';
import { event } from './events.js';

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** Says what the user said, word by word. It has a session of its own, and takes no notice of ours. */
export function createEchoDriver(config: Partial<DriverConfig> = {}): Driver {
  return new EchoDriver(config);
}

class EchoDriver implements Driver {
  readonly name = 'echo';
  readonly supportedProtocols: readonly ('openai' | 'anthropic')[] = [];
  readonly #config: Partial<DriverConfig>;
  readonly #state = new DriverState('echo');
  #sessionId: string | null = null;
  #count = 0;

  constructor(config: Partial<DriverConfig>) {
    this.#config = config;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  get state(): Driver['state'] {
    return this.#state.state;
  }

  async initialize(): Promise<void> {
    this.#state.initialize();
    this.#sessionId = this.#config.resumeSessionId ?? crypto.randomUUID();
    this.#config.onSessionIdCaptured?.(this.#sessionId);
  }

  receive(message: UserMessage, options: SendOptions = {}): AsyncIterable<DriverStreamEvent> {
    const reception = this.#state.start({ signal: options.signal, timeoutMs: this.#config.timeout });
    return this.#echo(message, reception);
  }

  interrupt(): void {
    this.#state.interrupt();
  }

  async dispose(): Promise<void> {
    this.#state.dispose();
  }

  async *#echo(message: UserMessage, reception: Reception): AsyncGenerator<DriverStreamEvent> {
    reception.begin();
    try {
      this.#count += 1;
      yield event('message_start', { messageId: `${this.#sessionId}-${this.#count}`, model: 'echo' });
      for (const text of contentText(message.content).split(/(?<=\s)(?=\S)/)) {
        if (text !== '') yield event('text_delta', { text });
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (reception.signal.aborted) {
          yield event('interrupted', { reason: reception.reason() });
          return;
        }
      }
      yield event('message_delta', { usage: NO_TOKENS });
      yield event('message_stop', { stopReason: 'end_turn' });
    } finally {
      this.#state.end(reception);
    }
  }
}

import type { LoopSettings } from 'responses-loop/v3';
import { type ChatChunk, NO_USAGE, type UsageData } from '../types.js';
import { addUsage } from './usage.js';
import type { Attempt } from './watch-retries.js';

type Observer = NonNullable<LoopSettings['onEvent']>;
type Event = Parameters<Observer>[0];

const RETRIES_IN_LOOP = 2;

/** What the provider tells of one turn: progress of tools, further attempts, and tokens of rounds as they end. */
export class TurnEvents {
  readonly #show: (chunk: ChatChunk) => void;
  #isRetrying = false;
  /** Of rounds whose step has not ended. */
  #usage: UsageData = NO_USAGE;

  constructor(show: (chunk: ChatChunk) => void) {
    this.#show = show;
  }

  /** For the model of the turn. `base` hears of all events too. */
  settings(base: Observer): LoopSettings {
    return {
      onEvent: (event) => {
        base(event);
        this.#hear(event);
      },
    };
  }

  attempt(attempt: Attempt | undefined): void {
    if (attempt === undefined && !this.#isRetrying) return;
    this.#isRetrying = attempt !== undefined;
    this.#show({ type: 'data-retry', data: attempt ?? { attempt: 0, of: 0 }, transient: true });
  }

  /** The step has ended, and its own count is the one that counts. */
  stepEnded(): void {
    this.#usage = NO_USAGE;
  }

  /** Tokens of a step that was stopped, as far as the server has told of them. */
  get openUsage(): UsageData {
    return this.#usage;
  }

  #hear(event: Event): void {
    switch (event.type) {
      case 'tool-progress': {
        const { callId: toolCallId, progress, total, message } = event;
        this.#show({ type: 'data-progress', data: { toolCallId, progress, total, message }, transient: true });
        break;
      }
      case 'retry':
        this.attempt({ attempt: event.attempt + 1, of: RETRIES_IN_LOOP + 1 });
        break;
      case 'response':
        if (event.status < 400) this.attempt(undefined);
        break;
      case 'round-end':
        this.#usage = addUsage(this.#usage, usageOfRound(event.usage));
        break;
      default:
    }
  }
}

function usageOfRound(usage: Extract<Event, { type: 'round-end' }>['usage']): UsageData {
  const { inputTokens: input = 0, outputTokens: output = 0 } = usage;
  const { cachedInputTokens: cached = 0, reasoningTokens: reasoning = 0 } = usage;
  return { input, output, cached, reasoning, rounds: input + output === 0 ? 0 : 1 };
}

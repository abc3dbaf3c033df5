import type { SendOptions } from './driver.js';
import type { DriverStreamEvent } from './events.js';
import type { AdapterMessage, StoredMessage, UserMessage } from './messages.js';

/** Answers one message of a session. */
export interface AgentAdapter {
  /** Yields each finished row; `onEvent` is given everything as it happens. */
  stream(prompt: UserMessage, options: AdapterOptions): AsyncGenerator<AdapterMessage>;
  getName(): string;
  /** The session will not ask again, or not soon: what is kept for it can go. */
  release?(sessionId: string): Promise<void>;
  close?(): Promise<void>;
}

export interface AdapterOptions extends Omit<SendOptions, 'signal'> {
  readonly sessionId: string;
  /** All rows before the prompt's. */
  readonly history: readonly StoredMessage[];
  readonly signal: AbortSignal;
  /** The id that the driver's own program has for this talk, if it was said in an earlier turn. */
  readonly agentSessionId?: string | undefined;
  readonly onEvent?: ((event: DriverStreamEvent) => void) | undefined;
}

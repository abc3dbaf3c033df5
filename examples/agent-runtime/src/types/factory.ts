import type { AgentAdapter } from './adapter.js';
import type { StoredMessage, TokenUsage } from './messages.js';
import type { AgentPersister, OnPersistError, SessionData } from './persister.js';
import type { Session } from './session.js';

/** What a new session starts with. */
export interface NewSession {
  /** Its summary, in place of the first line that the user writes. */
  readonly summary?: string | undefined;
  readonly model?: string | undefined;
  /** In place of the agent's; kept with the session. */
  readonly systemPrompt?: string | undefined;
}

export interface SessionOptions {
  readonly onPersistError?: OnPersistError | undefined;
  /** One sentence for a person, said once while nothing can be kept. */
  readonly onWarning?: ((sentence: string) => void) | undefined;
  readonly systemPrompt?: string | undefined;
  /** Called when a turn begins, or something that no turn may run beside. */
  readonly onBegin?: (() => void) | undefined;
  /** Whether a talk of so many tokens is to be made shorter. Absent: only if the server refuses it as too long. */
  readonly isLong?: ((tokens: number, model: string | undefined) => Promise<boolean>) | undefined;
}

export type SessionMetadata = Omit<SessionData, 'id' | 'usage' | 'owner' | 'heartbeat' | 'messageCount'>;

/** Makes the objects that sessions are. */
export interface SessionFactory {
  // The parameters are those of the specification, and one by one since others implement it.
  createSession(
    id: string,
    metadata: SessionMetadata,
    adapter: AgentAdapter,
    options: SessionOptions,
    persister?: AgentPersister,
    messages?: readonly StoredMessage[],
    usage?: TokenUsage | null,
  ): Session;
}

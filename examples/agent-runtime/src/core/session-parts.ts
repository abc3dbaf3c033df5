import type { AgentAdapter } from '../types/adapter.js';
import type { SessionMetadata, SessionOptions } from '../types/factory.js';
import type { StoredMessage, TokenUsage } from '../types/messages.js';
import type { AgentPersister } from '../types/persister.js';

/** What a session is made of. */
export interface SessionParts {
  readonly id: string;
  readonly metadata: SessionMetadata;
  readonly adapter: AgentAdapter;
  readonly options: SessionOptions;
  readonly persister?: AgentPersister | undefined;
  readonly messages?: readonly StoredMessage[] | undefined;
  readonly usage?: TokenUsage | null | undefined;
}

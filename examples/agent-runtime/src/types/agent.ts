import type { AgentAdapter } from './adapter.js';
import type { SendOptions } from './driver.js';
import type { NewSession, SessionFactory } from './factory.js';
import type { ContentBlock } from './messages.js';
import type { AgentPersister, OnPersistError, SessionData } from './persister.js';
import type { Session, Turn } from './session.js';

/** Sessions, and who answers them. */
export interface Agent {
  /** Once, before anything else. Turns that died with their process are ended here. */
  initialize(): Promise<void>;
  createSession(options?: NewSession): Promise<Session>;
  /** From memory, or from where sessions are kept; `null` if there is no such session. */
  getSession(id: string): Promise<Session | null>;
  /** All that are kept, newest activity first, without their messages. */
  getSessions(): Promise<SessionData[]>;
  /** Sends to the session named, or to a new one. */
  chat(content: string | readonly ContentBlock[], options?: ChatOptions): Turn;
  /** Deletes it, loaded or not; nothing happens if there is no such session. */
  deleteSession(id: string): Promise<void>;
  /** Ends running turns, keeps what is to be kept, and closes everything. Throws what could not be kept. */
  destroy(): Promise<void>;
}

export interface ChatOptions extends SendOptions {
  readonly sessionId?: string | undefined;
}

/** What every agent's core takes. */
export interface CoreConfig {
  /** The folder that sessions belong to. */
  readonly workspace: string;
  readonly model?: string | undefined;
  readonly onPersistError?: OnPersistError | undefined;
  readonly onWarning?: ((sentence: string) => void) | undefined;
}

export interface AgentDependencies {
  readonly adapter?: AgentAdapter | undefined;
  readonly persister?: AgentPersister | undefined;
  readonly sessionFactory?: SessionFactory | undefined;
}

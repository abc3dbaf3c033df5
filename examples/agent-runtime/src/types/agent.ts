import type { AgentAdapter } from './adapter.js';
import type { MessageOptions } from './driver.js';
import type { NewSession, SessionFactory, SessionOptions } from './factory.js';
import type { ContentBlock } from './messages.js';
import type { AgentPersister, OnPersistError, SessionData, SessionPage, SessionQuery } from './persister.js';
import type { Session, Turn } from './session.js';

/** Sessions, and who answers them. */
export interface Agent {
  /** Once, before anything else. Turns that died with their process are ended here. */
  initialize(): Promise<void>;
  createSession(options?: NewSession): Promise<Session>;
  /** From memory, or from where sessions are kept; `null` if there is no such session. */
  getSession(id: string): Promise<Session | null>;
  /** Those that are kept, newest activity first, without their messages. Default: all. */
  getSessions(limit?: number, offset?: number): Promise<SessionData[]>;
  /** A page of those that match, and how many do. */
  listSessions(query?: SessionQuery): Promise<SessionPage>;
  /** Loads sessions with their messages, newest activity first; from then on they are in memory. Default: all. */
  loadHistoricalSessions(limit?: number, offset?: number): Promise<Session[]>;
  /** Sends to the session named, else to the one to be resumed, else to a new one; the turn has its `sessionId`. */
  chat(content: string | readonly ContentBlock[], options?: ChatOptions): Turn;
  /** A new session with the rows of another that hold, up to a turn. Refused while a turn of it runs. */
  forkSession(id: string, options?: ForkOptions): Promise<Session>;
  /** Deletes old sessions, each whole; those in a turn are left. */
  prune(options: PruneOptions): Promise<Pruned>;
  /** Deletes it, loaded or not; nothing happens if there is no such session. */
  deleteSession(id: string): Promise<void>;
  /** Ends running turns, keeps what is to be kept, and closes everything. Throws what could not be kept. */
  destroy(): Promise<void>;
}

export interface ForkOptions {
  /** The last turn that is taken over. Default: all. */
  readonly turn?: number | undefined;
  /** Default: that of the other session. */
  readonly summary?: string | undefined;
}

/** Which sessions are old: of those that both members name, if both are given. */
export interface PruneOptions {
  /** Those without activity for so long. */
  readonly olderThanMs?: number | undefined;
  /** All but so many, the newest. */
  readonly keep?: number | undefined;
  /** Deletes nothing: `deleted` are those that would be. */
  readonly isDryRun?: boolean | undefined;
}

export interface Pruned {
  readonly deleted: readonly string[];
  /** A turn of them runs, or somebody has used them just now. */
  readonly busy: readonly string[];
}

export interface ChatOptions extends MessageOptions {
  readonly sessionId?: string | undefined;
}

/** What every agent's core takes. */
export interface CoreConfig {
  /** The folder that sessions belong to. */
  readonly workspace: string;
  readonly model?: string | undefined;
  /** The session that `chat()` goes on with if it names none. `initialize()` fails if there is no such session. */
  readonly resumeSessionId?: string | undefined;
  readonly isLong?: SessionOptions['isLong'];
  readonly onPersistError?: OnPersistError | undefined;
  readonly onWarning?: ((sentence: string) => void) | undefined;
}

export interface AgentDependencies {
  readonly adapter?: AgentAdapter | undefined;
  readonly persister?: AgentPersister | undefined;
  readonly sessionFactory?: SessionFactory | undefined;
}

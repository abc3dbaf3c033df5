import type { StoredMessage } from '../types/messages.js';
import type { MessagePage, SessionData, SessionPage, SessionQuery } from '../types/persister.js';
import type { SessionState } from '../types/session.js';

/** A session as its row has it. */
export type SessionValues = Required<Omit<SessionData, 'messageCount'>>;

export interface KeptSession {
  readonly row: SessionValues;
  /** The time by the store's clock, in milliseconds. */
  readonly now: number;
}

/** How a session was when it was read: a change is made only if it still is so. */
export interface Seen {
  readonly state: SessionState;
  readonly owner: string | null;
  readonly heartbeat?: string | null;
}

/** Whose turn is written, and what the session becomes. */
export interface Held {
  readonly owner: string;
  readonly values?: Partial<SessionValues> | undefined;
}

export interface Taken {
  /** There are rows behind the place that was asked for. */
  readonly hasNews: boolean;
}

/** A database that keeps sessions. Each operation is done whole or not at all. */
export interface SessionStore {
  read(id: string): Promise<KeptSession | undefined>;
  /** `false`: another process has made it meanwhile. */
  insert(row: SessionValues): Promise<boolean>;
  /** A new session with its first rows. Fails, if there is one of that id. */
  make(row: SessionValues, rows: readonly StoredMessage[]): Promise<void>;
  /** `false`: another process has changed it since it was seen. */
  update(id: string, values: Partial<SessionValues>, seen: Seen): Promise<boolean>;
  /** Claims a session that is in no turn. `undefined`: it is in one, is over or gone, or changes at this moment. */
  take(id: string, owner: string, after: number): Promise<Taken | undefined>;
  /** Sets the owner, and the heartbeat by the store's clock. */
  claim(id: string, owner: string, seen: Seen): Promise<boolean>;
  beat(owner: string): Promise<void>;
  delete(id: string): Promise<void>;
  list(query: SessionQuery): Promise<SessionPage>;
  /** Adds rows, and changes the session with them. With an owner all of it is refused if the session is not its own. */
  write(sessionId: string, rows: readonly StoredMessage[], held?: Held): Promise<void>;
  messages(sessionId: string, page: MessagePage): Promise<StoredMessage[]>;
  deleteMessages(sessionId: string): Promise<void>;
  countMessages(sessionId: string): Promise<number>;
  /** Whether the same operation may succeed a moment later. */
  isPassing(error: unknown): boolean;
  /** Awaited before an operation is tried again. */
  renew(): Promise<void>;
  /** The error as a person should read it. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

import type { StoredMessage, TokenUsage } from './messages.js';
import type { SessionState } from './session.js';

/** A session without its messages. Times are ISO 8601 in UTC. */
export interface SessionData {
  readonly id: string;
  readonly summary: string | null;
  readonly createdAt: string;
  readonly lastActivity: string;
  readonly cwd: string | null;
  readonly state: SessionState;
  readonly model: string | null;
  readonly usage: TokenUsage | null;
  /** The process that runs its turn, and when that last said that it lives. */
  readonly owner?: string | null;
  readonly heartbeat?: string | null;
  /** Given with sessions that are read, not kept. */
  readonly messageCount?: number;
}

export interface MessagePage {
  /** Only rows with a greater `seq`. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

/** Which sessions, of those that are kept; each member that is given has to match. */
export interface SessionQuery {
  /** Default: all. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** A text that the summary or a row holds. ASCII letters match in either case. */
  readonly search?: string | undefined;
  /** What the id begins with. */
  readonly idPrefix?: string | undefined;
  readonly state?: SessionState | undefined;
}

export interface SessionPage {
  /** Newest activity first. */
  readonly items: SessionData[];
  /** How many match, on all pages. */
  readonly total: number;
}

/** Where sessions and their messages are kept. */
export interface AgentPersister {
  saveSession(session: SessionData): Promise<void>;
  getSession(id: string): Promise<SessionData | null>;
  /** Newest activity first. */
  getAllSessions(): Promise<SessionData[]>;
  /** A page of those that match; the database selects and counts. */
  listSessions(query: SessionQuery): Promise<SessionPage>;
  /** A new session with its first rows: both or neither. Refused, if there is one of that id. */
  createSession(session: SessionData, messages: readonly StoredMessage[]): Promise<void>;
  deleteSession(id: string): Promise<void>;
  saveMessage(sessionId: string, message: StoredMessage): Promise<void>;
  saveMessages(sessionId: string, messages: StoredMessage[]): Promise<void>;
  /** In the order of `seq`; all, if no page is given. */
  getMessages(sessionId: string, page?: MessagePage): Promise<StoredMessage[]>;
  deleteMessages(sessionId: string): Promise<void>;
  getMessageCount(sessionId: string): Promise<number>;
  flush(): Promise<void>;
  close(): Promise<void>;
  /** Opens what is there, or makes it. Awaited before anything else is asked. */
  open?(): Promise<void>;
  /** Rows and the session as it is after them, in one write: all or nothing. */
  saveTurn?(session: SessionData, messages: StoredMessage[]): Promise<void>;
  /** Makes the session this process's own for a turn, or `owner`'s, unless another living one has it. */
  claimSession?(id: string, claimed?: ClaimedSession): Promise<SessionClaim>;
}

export interface ClaimedSession {
  readonly owner?: string | undefined;
  /** The last row that is known: asks for `hasNews`. */
  readonly after?: number | undefined;
}

/**
 * `wasActive`: a process died in a turn of this session. `hasNews`: whether there are later rows than the last one that is
 * known; without it, read them.
 */
export type SessionClaim =
  | { readonly outcome: 'claimed'; readonly wasActive: boolean; readonly hasNews?: boolean | undefined }
  | { readonly outcome: 'busy' | 'deleted' }
  | { readonly outcome: 'closed'; readonly state: SessionState };

/** Takes what could not be kept, as it happens. Without a message, it was the session itself. */
export type OnPersistError = (error: unknown, message?: StoredMessage) => void;

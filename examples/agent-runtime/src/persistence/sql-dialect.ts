import type { Query, SQL } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';

import type { messages, sessions } from './sqlite-schema.js';

/**
 * What databases do differently. All else is written once, for the types of SQLite: Drizzle's builders have the same methods
 * for Postgres, and the contract's tests run each of them on both.
 */
export interface Dialect {
  readonly db: Pick<LibSQLDatabase, 'select' | 'insert' | 'update' | 'delete' | '$count' | '$with' | 'with'>;
  readonly sessions: typeof sessions;
  readonly messages: typeof messages;
  /** Grows with each session that is made. */
  readonly position: SQL;
  /** Rows of one statement. */
  readonly rowsPerInsert: number;
  /** The time of the clock that heartbeats are compared with: in milliseconds, and as a heartbeat. */
  readonly now: () => SQL<number>;
  readonly heartbeat: () => SQL;
  /** With ASCII letters in lower case, and as bytes: no character stands for others. */
  readonly contains: (text: SQL, wanted: string) => SQL;
  readonly beginsWith: (text: SQL, start: string) => SQL;
  /**
   * A condition that is true: the statement need not wait until it is on disk, because the rows that follow it bring it
   * there with them.
   */
  readonly isLazy: SQL | undefined;
  /** Not true if another process has changed the session since the statement began. */
  readonly isAsAtStart: (id: string) => SQL | undefined;
  /** A statement that changes rows may be a part of another one. */
  readonly isNestable: boolean;
  /** Ends a query whose row nobody may change until the transaction is over. */
  readonly locked: SQL;
  /** All of them or none. Returns how many rows the last one changed. */
  readonly write: (statements: readonly Query[]) => Promise<number>;
  /** A rule of the tables was broken, so that trying again would not help. `no_session`: a row has no session. */
  readonly brokenRule: (error: unknown) => 'session_gone' | 'no_session' | 'refused' | undefined;
  readonly isPassing: (error: unknown) => boolean;
  readonly renew: () => Promise<void>;
  readonly explain: (error: unknown) => unknown;
  readonly close: () => Promise<void>;
}

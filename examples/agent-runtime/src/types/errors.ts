/** Stable names of what can go wrong outside a turn; a turn's own errors are events. */
export type AgentErrorCode =
  | 'not_initialized'
  | 'already_initialized'
  /** The agent was destroyed, or the driver disposed. */
  | 'disposed'
  /** A driver answers already. */
  | 'driver_busy'
  | 'session_busy'
  /** Another process has taken the session over in the middle of a turn. */
  | 'session_lost'
  /** The session was completed or aborted. */
  | 'session_closed'
  | 'session_deleted'
  | 'no_such_session'
  /** The call does not wait for an answer, or not any more. */
  | 'no_such_approval'
  | 'no_such_turn'
  | 'summary_failed'
  /** The driver's own program keeps the talk. */
  | 'not_supported'
  /** This instance cannot take a turn now; another one may. */
  | 'unavailable'
  | 'bad_settings'
  | 'bad_message'
  /** The session has taken a message with this id before. */
  | 'message_exists'
  /** The database is not one of this program, or it cannot be opened or reached. */
  | 'database_unreadable'
  /** A newer program wrote the database. */
  | 'schema_too_new'
  /** Something could not be kept. */
  | 'persist_failed';

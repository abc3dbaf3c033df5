import { CommanderError } from 'commander';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { AgentError } from '../core/agent-error.js';
import type { AgentErrorCode } from '../types/index.js';

export const EXIT = {
  done: 0,
  turnFailed: 1,
  usage: 2,
  noSession: 3,
  busyOrClosed: 4,
  notKept: 5,
  approvalNeeded: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An error that a person should read, with what it means for a script. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

const OF_AGENT: Partial<Record<AgentErrorCode, ExitCode>> = {
  bad_settings: EXIT.usage,
  bad_message: EXIT.usage,
  message_exists: EXIT.usage,
  database_unreadable: EXIT.usage,
  schema_too_new: EXIT.usage,
  no_such_session: EXIT.noSession,
  no_such_approval: EXIT.noSession,
  no_such_turn: EXIT.noSession,
  not_supported: EXIT.busyOrClosed,
  session_deleted: EXIT.noSession,
  session_busy: EXIT.busyOrClosed,
  session_closed: EXIT.busyOrClosed,
  persist_failed: EXIT.notKept,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof SettingsError) return EXIT.usage;
  if (codeOf(error) === 'invalid-settings') return EXIT.usage; // Of the package, which is not loaded for every command.
  return error instanceof AgentError ? (OF_AGENT[error.code] ?? EXIT.turnFailed) : EXIT.turnFailed;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}

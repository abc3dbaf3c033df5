import { CommanderError } from 'commander';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { SessionLockedError } from '../rollout/lock.js';

export const EXIT = {
  done: 0,
  taskFailed: 1,
  usage: 2,
  /** There is none, the prefix is ambiguous, or another process has it. */
  session: 3,
  denied: 4,
  turnLimit: 5,
  hangup: 129,
  interrupted: 130,
  /** As of a program that a closed pipe ended. */
  pipeClosed: 141,
  terminated: 143,
} as const;

export type ExitCode = number;

/** An error that a person should read, with what it means for a script. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof SessionLockedError) return EXIT.session;
  if (error instanceof SettingsError) return EXIT.usage;
  // Of the package, which is not loaded for every command.
  return error instanceof Error && Reflect.get(error, 'code') === 'invalid-settings' ? EXIT.usage : EXIT.taskFailed;
}

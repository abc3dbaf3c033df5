import type { Readable, Writable } from 'node:stream';

/** What a command has of the process it runs in. Tests hand in their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The result: what a script reads. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Progress, questions and errors: what a person reads. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted by the first Ctrl-C; the second ends the process. */
  readonly signal: AbortSignal;
}

/** A command of `npx responses-loop`. */
export interface Command {
  /** What `--help` prints, whole. */
  readonly help: string;
  /** Ends with the exit code. Throws `UsageError` for arguments it cannot take. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

/** The arguments are wrong: told with a hint at `--help`, exit code 2. */
export class UsageError extends Error {}

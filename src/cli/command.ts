import type { Readable, Writable } from 'node:stream';

/** The parts of the process that a command uses. Tests pass their own. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** The result, for scripts. */
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Progress, questions and errors, for users. */
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted by the first Ctrl-C; the second ends the process. */
  readonly signal: AbortSignal;
}

/** A command of `npx responses-loop`. */
export interface Command {
  /** The whole text of `--help`. */
  readonly help: string;
  /** Resolves with the exit code. Throws `UsageError` for wrong arguments. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

/** Wrong arguments: reported with a hint at `--help`, exit code 2. */
export class UsageError extends Error {}

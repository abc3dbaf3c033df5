import type { DriverStreamEvent, UserMessage } from '../types/index.js';

/** One JSON line, read. */
export type Line = Readonly<Record<string, unknown>>;

/** What a line of a program means for the turn. */
export interface Heard {
  readonly events?: readonly DriverStreamEvent[];
  /** The id that the program has for this talk. */
  readonly sessionId?: string;
  /** Lines to answer with. */
  readonly answers?: readonly Line[];
}

/** What a program that speaks JSON lines is told, and what its lines mean. One for each process. */
export interface Dialect {
  /** Arguments that make a new process go on with an earlier talk. */
  resume(sessionId: string): readonly string[];
  message(message: UserMessage, text: string): Line;
  /** The line that stops the running answer. */
  interrupt(): Line;
  /** Reads a line. Unknown lines mean nothing. */
  hear(line: Line): Heard;
}

/** Creates a dialect for a process. */
export type DialectFactory = (options: DialectOptions) => Dialect;

export interface DialectOptions {
  /** Decides about a call that the program asks about. Default: no. */
  readonly approve?: ((call: ProgramCall) => boolean) | undefined;
}

/** A call that a program asks about. */
export interface ProgramCall {
  readonly toolName: string;
  readonly arguments: unknown;
  /** The call as a text for a person, if the program made one. */
  readonly question?: string | undefined;
}

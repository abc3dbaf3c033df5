import type { ApprovalAnswer, ApprovalQuestion } from './approvals.js';
import type { MessageOptions, SendOptions } from './driver.js';
import type { DriverStreamEvent } from './events.js';
import type { ContentBlock, StoredMessage, TokenUsage } from './messages.js';

export type SessionState = 'created' | 'idle' | 'active' | 'completed' | 'aborted' | 'deleted';

/** What can be asked of a session. */
export type SessionCall = 'send' | 'interrupt' | 'abort' | 'complete' | 'delete';

/**
 * A running or finished turn. Each iteration starts with its first event. Awaited, it resolves when the turn has ended
 * and its rows were written; a model's error is an event, an error of the session (`session_busy`, …) rejects.
 */
export interface Turn extends AsyncIterable<DriverStreamEvent>, PromiseLike<void> {
  /** The session that it belongs to; its first event has it, too. */
  readonly sessionId: string;
  /** Of a turn whose events are kept with their numbers: those after a number, until its end or the signal. */
  after?(seen: number, signal?: AbortSignal): AsyncGenerator<NumberedEvent, void>;
}

/** Numbers grow over all turns of a session. */
export interface NumberedEvent {
  readonly id: number;
  readonly event: DriverStreamEvent;
}

/** What a summary stands for. */
export interface Compaction {
  readonly throughTurn: number;
  readonly summary: string;
}

export interface Session {
  readonly id: string;
  readonly state: SessionState;
  readonly summary: string | null;
  readonly createdAt: string;
  readonly lastActivity: string;
  readonly model: string | null;
  /** The id that the driver's own program has for this talk; `null` if there is none. */
  readonly agentSessionId: string | null;
  /** The turn that runs now. */
  readonly currentTurn: Turn | null;
  /** The last turn that has ended, if its events are kept. */
  readonly endedTurn?: Turn | null;
  /** Runs to its end, also if it is neither iterated nor awaited. */
  send(content: string | readonly ContentBlock[], options?: MessageOptions): Turn;
  /** The output of the last turn that had a schema, or of the turn that is named; `undefined` if there is none. */
  getOutput(turn?: number): unknown;
  /** The calls that wait for a person, of earlier runs too. */
  getApprovals(): readonly ApprovalQuestion[];
  /**
   * Answers questions, now or after a restart. The model goes on once each has an answer; until then the turn ends at once
   * with `approval_needed`. A message in place of an answer takes the calls back.
   */
  answer(answers: readonly ApprovalAnswer[], options?: SendOptions): Turn;
  /**
   * Has a summary made, which the model reads in place of all but the last two turns; what is stored stays whole. `null`, if
   * there is nothing to make shorter.
   */
  compact(options?: { readonly signal?: AbortSignal | undefined }): Promise<Compaction | null>;
  /**
   * Takes the last turn back, and returns its rows. They stay where they are kept, with a note that they do not hold: the
   * model reads them no more. Refused while a turn runs.
   */
  pop(): Promise<readonly StoredMessage[]>;
  /** The rows that hold, up to a turn; all of them, if none is named. Refused while a turn runs. */
  snapshot(turn?: number): Promise<readonly StoredMessage[]>;
  interrupt(): Promise<void>;
  abort(): Promise<void>;
  complete(): Promise<void>;
  delete(): Promise<void>;
  /** Deeply frozen: all rows, or the last ones that hold. */
  getMessages(latest?: number): readonly StoredMessage[];
  getTokenUsage(): TokenUsage;
  /** A late subscriber gets what is there first. Returns what ends it. */
  subscribe(listener: (message: StoredMessage) => void): () => void;
  /** Reads what other processes have written, unless a turn runs. */
  refresh?(): Promise<void>;
  /** Waits for what is to be written; throws what could not be kept. */
  flush?(): Promise<void>;
  /**
   * Gives back what it holds for its next turn, unless it is in use: a turn runs, rows are to be written, or someone listens.
   * Returns whether it did. A session without this stays loaded.
   */
  letGo?(): boolean;
}

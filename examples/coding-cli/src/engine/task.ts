import type { AbortReason, EventData, Usage } from '../protocol/events.js';
import type { Op } from '../protocol/submissions.js';
import { sumUsage } from './usage.js';

/** What waits for its turn, one after another; all other submissions overtake it. */
export type TaskOp = Extract<Op, { type: 'user_input' | 'compact' | 'undo' }>;

/** A call that runs. */
interface RunningCall {
  readonly title: string;
  readonly startedAt: number;
}

/** One submission that is being worked on. */
export class Task {
  /** Of the submission. */
  readonly id: string;
  readonly op: TaskOp;
  readonly running = new Map<string, RunningCall>();
  readonly rounds: Usage[] = [];
  denials = 0;
  lastMessage = '';
  /** Why the last request failed; another one follows if it is tried again. */
  failure: string | undefined;
  isOver = false;
  error: EventData<'error'> | undefined;
  readonly #controller = new AbortController();
  #reason: AbortReason | undefined;
  #counted = 0;

  constructor(id: string, op: TaskOp) {
    this.id = id;
    this.op = op;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why it did not come to its end; `undefined` if it did. */
  get reason(): AbortReason | undefined {
    return this.#reason ?? (this.error === undefined ? undefined : 'error');
  }

  get usage(): Usage {
    return sumUsage(this.rounds);
  }

  /** Rounds since this was asked last. */
  takeUncounted(): Usage[] {
    const rounds = this.rounds.slice(this.#counted);
    this.#counted = this.rounds.length;
    return rounds;
  }

  /** Stops what runs. */
  abort(reason: AbortReason): void {
    this.#reason ??= reason;
    this.#controller.abort();
  }

  /** It came to an end by itself, but not to the one that was wanted. */
  end(reason: AbortReason, error: EventData<'error'>): void {
    this.#reason ??= reason;
    this.error ??= error;
  }
}

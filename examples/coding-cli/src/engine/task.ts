import type { AbortReason, EventData, Usage } from '../protocol/events.js';
import type { Op } from '../protocol/submissions.js';
import { sumUsage } from './usage.js';

/** What waits for its turn, one after another; all other submissions overtake it. */
export type TaskOp = Extract<Op, { type: 'user_input' | 'user_command' | 'run_command' | 'compact' | 'undo' }>;

/** They tell of their errors themselves. */
export const TALKS: ReadonlySet<TaskOp['type']> = new Set(['user_input', 'run_command']);

/** What the person had typed for it. */
export function typedText(op: TaskOp): string {
  if (op.type === 'user_input') return op.text;
  if (op.type === 'run_command') return `/${op.name} ${op.arguments ?? ''}`.trim();
  return op.type === 'user_command' ? `!${op.command}` : `/${op.type}`;
}

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
  /** Of the conversation itself. */
  readonly rounds: Usage[] = [];
  denials = 0;
  lastMessage = '';
  /** Why the last request failed; another one follows if it is tried again. */
  failure: string | undefined;
  isOver = false;
  error: EventData<'error'> | undefined;
  readonly #controller = new AbortController();
  #reason: AbortReason | undefined;
  /** Cost tokens, but are no part of the conversation: what sub-agents asked. */
  readonly #asides: Usage[] = [];
  #uncounted: Usage[] = [];

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
    return sumUsage([...this.rounds, ...this.#asides]);
  }

  addRound(usage: Usage, { isAside = false } = {}): void {
    (isAside ? this.#asides : this.rounds).push(usage);
    this.#uncounted.push(usage);
  }

  /** Tokens of the conversation, as the last round counted them. */
  get contextTokens(): number {
    return sumUsage(this.rounds.slice(-1)).total;
  }

  /** What the session does not count yet. */
  get uncounted(): Usage {
    return sumUsage(this.#uncounted);
  }

  /** Rounds since this was asked last. */
  takeUncounted(): Usage[] {
    const uncounted = this.#uncounted;
    this.#uncounted = [];
    return uncounted;
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

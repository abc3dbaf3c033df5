import { followAbort, raceAbort } from '../../util/abort.js';
import { createContextQueue, type ContextQueue } from '../../util/queues.js';

export interface Question {
  /** Also fires when every call that may have asked has ended. */
  readonly signal: AbortSignal;
  /** The ids of the calls that may have asked. */
  readonly callIds: readonly string[];
}

interface Call {
  readonly id: string;
  readonly idleMs: number;
  readonly touch: () => void;
  /** Runs a function in the asynchronous context of the call. */
  readonly context: ContextQueue<() => void> | undefined;
  /** Keeps the idle limits of calls away while a question is open. */
  timer?: ReturnType<typeof setInterval> | undefined;
}

const TOUCHES_PER_LIMIT = 3;

/** Tracks the tool calls of one connection and the open questions to the user. A question names no call. */
export class ActiveCalls {
  readonly #outside: ContextQueue<() => void> | undefined;
  readonly #calls = new Set<Call>();
  readonly #questions = new Set<AbortController>();
  #idleWaiters: (() => void)[] = [];

  /** `outside` runs questions that belong to no single call. Without it such questions are refused. */
  constructor(outside?: ContextQueue<() => void>) {
    this.#outside = outside;
  }

  /**
   * Adds a call from its own asynchronous context and returns its remover. Open questions `touch` it within `idleMs`.
   */
  add(id: string, idleMs: number, touch: () => void): () => void {
    const context = this.#outside && createContextQueue<() => void>((run) => run());
    const call: Call = { id, idleMs, touch, context };
    this.#calls.add(call);
    if (this.#questions.size > 0) this.#keepAlive(call);
    return () => {
      if (!this.#calls.delete(call)) return;
      void context?.end();
      clearInterval(call.timer);
      if (this.#calls.size > 0) return;
      for (const question of this.#questions) question.abort(new Error('No call waits for the answer any more.'));
      for (const waiter of this.#idleWaiters.splice(0)) waiter();
    };
  }

  /** Runs a question; with a single call under way, in the asynchronous context of that call. */
  async ask<T>(signal: AbortSignal, run: (question: Question) => Promise<T>): Promise<T> {
    const { controller, release } = followAbort(signal);
    this.#questions.add(controller);
    for (const call of this.#calls) this.#keepAlive(call);
    const running = [...this.#calls];
    const start = () => run({ signal: controller.signal, callIds: running.map(({ id }) => id) });
    try {
      const context = running.length === 1 ? running[0]?.context : this.#outside;
      return await (context === undefined ? start() : startIn(context, start));
    } finally {
      this.#questions.delete(controller);
      release();
      for (const call of this.#calls) this.#keepAlive(call);
    }
  }

  /** Resolves when no call is running, or when the signal fires. */
  async whenIdle(signal: AbortSignal): Promise<void> {
    if (this.#calls.size === 0) return;
    const idle = new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    await raceAbort(idle, signal).catch(() => {});
  }

  /** Starts or stops the timer that touches a call while questions are open. */
  #keepAlive(call: Call): void {
    call.touch();
    clearInterval(call.timer);
    const isAsking = this.#questions.size > 0;
    call.timer = isAsking ? setInterval(call.touch, call.idleMs / TOUCHES_PER_LIMIT) : undefined;
  }
}

function startIn<T>(context: ContextQueue<() => void>, start: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    context.push(() => void start().then(resolve, reject));
  });
}

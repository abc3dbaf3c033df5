import { followAbort, raceAbort } from '../../util/abort.js';
import { createContextQueue, type ContextQueue } from '../../util/queues.js';

export interface Question {
  /** Also fires when the calls that may have asked it have all ended. */
  readonly signal: AbortSignal;
  /** The calls that may have asked. */
  readonly callIds: readonly string[];
}

interface Call {
  readonly id: string;
  readonly idleMs: number;
  readonly touch: () => void;
  /** Runs what it is given in the context of the call. */
  readonly context: ContextQueue<() => void> | undefined;
  /** Shows signs of life while a question is open. */
  timer?: ReturnType<typeof setInterval> | undefined;
}

const TOUCHES_PER_LIMIT = 3;

/**
 * The tool calls that run over a connection, and the questions to a person that are open. A question does not say which
 * call it belongs to, so it counts for all that run.
 */
export class ActiveCalls {
  readonly #outside: ContextQueue<() => void> | undefined;
  readonly #calls = new Set<Call>();
  readonly #questions = new Set<AbortController>();
  #idleWaiters: (() => void)[] = [];

  /** `outside` runs questions that cannot be attributed to a single call. Without it none are asked. */
  constructor(outside?: ContextQueue<() => void>) {
    this.#outside = outside;
  }

  /**
   * Adds a call that begins, and returns what removes it. While a question is open, `touch` is called more often than the
   * idle limit asks for. Has to be called in the asynchronous context of the call.
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

  /** Runs a question, in the asynchronous context of the call that asked if only one runs. */
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

  /** Resolves when no call runs any more, or when the signal fires. */
  async whenIdle(signal: AbortSignal): Promise<void> {
    if (this.#calls.size === 0) return;
    const idle = new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    await raceAbort(idle, signal).catch(() => {});
  }

  /** A question came or went. */
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

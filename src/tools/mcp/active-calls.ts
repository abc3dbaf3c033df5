import { followAbort } from '../../util/abort.js';
import { createContextQueue, type ContextQueue } from '../../util/queues.js';

/**
 * The tool calls that run over a connection, and the questions to a person that are open. A question does not say which
 * call it belongs to, so it counts for all that run.
 */
export interface ActiveCalls {
  /**
   * Adds a call that begins, and returns what removes it. While a question is open, `touch` is called more often than the
   * idle limit asks for. Has to be called in the asynchronous context of the call.
   */
  add(callId: string, idleMs: number, touch: () => void): () => void;
  /** Runs a question, in the asynchronous context of the call that asked if only one runs. */
  ask<T>(signal: AbortSignal, run: (question: Question) => Promise<T>): Promise<T>;
  /** Resolves when no call runs any more, or when the signal fires. */
  whenIdle(signal: AbortSignal): Promise<void>;
}

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

/** `outside` runs questions that cannot be attributed to a single call. Without it none are asked. */
export function createActiveCalls(outside?: ContextQueue<() => void>): ActiveCalls {
  const calls = new Set<Call>();
  const questions = new Set<AbortController>();
  const idleWaiters = new Set<() => void>();

  /** A question came or went. */
  const keepAlive = (call: Call): void => {
    call.touch();
    clearInterval(call.timer);
    call.timer = questions.size > 0 ? setInterval(call.touch, call.idleMs / TOUCHES_PER_LIMIT) : undefined;
  };
  return {
    add(id, idleMs, touch) {
      const context = outside && createContextQueue<() => void>((run) => run());
      const call: Call = { id, idleMs, touch, context };
      calls.add(call);
      if (questions.size > 0) keepAlive(call);
      return () => {
        if (!calls.delete(call)) return;
        void context?.end();
        clearInterval(call.timer);
        if (calls.size > 0) return;
        for (const question of questions) question.abort(new Error('No call waits for the answer any more.'));
        for (const waiter of idleWaiters) waiter();
      };
    },
    async ask(signal, run) {
      const { controller, release } = followAbort(signal);
      questions.add(controller);
      for (const call of calls) keepAlive(call);
      const running = [...calls];
      const start = () => run({ signal: controller.signal, callIds: running.map(({ id }) => id) });
      try {
        const context = running.length === 1 ? running[0]?.context : outside;
        return await (context === undefined ? start() : startIn(context, start));
      } finally {
        questions.delete(controller);
        release();
        for (const call of calls) keepAlive(call);
      }
    },
    async whenIdle(signal) {
      if (calls.size === 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          idleWaiters.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        idleWaiters.add(done);
        signal.addEventListener('abort', done);
      });
    },
  };
}

function startIn<T>(context: ContextQueue<() => void>, start: () => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    context.push(() => void start().then(resolve, reject));
  });
}

import { followAbort } from '../../util/abort.js';
import { createContextQueue, type ContextQueue } from '../../util/queues.js';

/**
 * Which tool calls run over a connection, and whether a person is being asked something meanwhile. A question does not say
 * which call it belongs to, so it counts for all that run.
 */
export interface Attendance {
  /**
   * A call begins. While a person is being asked something, it shows signs of life more often than its idle limit asks for.
   * To be called in the asynchronous context of the call. Call what is returned when it ends.
   */
  enter(callId: string, idleMs: number, touch: () => void): () => void;
  /** Runs a question, in the asynchronous context of the call that asked if only one runs. */
  ask<T>(signal: AbortSignal, run: (question: Question) => Promise<T>): Promise<T>;
  /** Resolves when no call runs any more, or when the signal fires. */
  untilEmpty(signal: AbortSignal): Promise<void>;
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

/** `outside` belongs to no call: questions that any of several calls may have asked run there. Without it none are asked. */
export function createAttendance(outside?: ContextQueue<() => void>): Attendance {
  const calls = new Set<Call>();
  const questions = new Set<AbortController>();
  const leavers = new Set<() => void>();

  /** A question came or went. */
  const keepAlive = (call: Call): void => {
    call.touch();
    clearInterval(call.timer);
    call.timer = questions.size > 0 ? setInterval(call.touch, call.idleMs / TOUCHES_PER_LIMIT) : undefined;
  };
  return {
    enter(id, idleMs, touch) {
      const context = outside && createContextQueue<() => void>((run) => run());
      const call: Call = { id, idleMs, touch, context };
      calls.add(call);
      if (questions.size > 0) keepAlive(call);
      return () => {
        if (!calls.delete(call)) return;
        void context?.end();
        clearInterval(call.timer);
        if (calls.size > 0) return;
        for (const question of questions) question.abort(new Error('Nobody waits for the answer any more.'));
        for (const leaver of leavers) leaver();
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
    async untilEmpty(signal) {
      if (calls.size === 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          leavers.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        leavers.add(done);
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

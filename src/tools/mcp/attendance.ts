import { followAbort } from '../../util/abort.js';
import { createContextQueue, type ContextQueue } from '../../util/queues.js';

/**
 * Which tool calls run over a connection, and whether a person is being asked something meanwhile. A question does not say
 * which call it belongs to, so it counts for all that run.
 */
export interface Attendance {
  /**
   * A call begins; it hears whenever a question comes or goes. To be called in the asynchronous context of the call. Call
   * what is returned when it ends.
   */
  enter(callId: string, onQuestion: (isPending: boolean) => void): () => void;
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
  readonly hear: (isPending: boolean) => void;
  /** Runs what it is given in the context of the call. */
  readonly context: ContextQueue<() => void>;
}

/** `outside` belongs to no call: questions of which nobody knows who asked them run there. */
export function createAttendance(outside?: ContextQueue<() => void>): Attendance {
  const calls = new Set<Call>();
  const questions = new Set<AbortController>();
  const leavers = new Set<() => void>();

  const tell = (): void => {
    for (const { hear } of calls) hear(questions.size > 0);
  };
  const leave = (call: Call): void => {
    if (!calls.delete(call)) return;
    void call.context.end();
    if (calls.size > 0) return;
    for (const question of questions) question.abort(new Error('Nobody waits for the answer any more.'));
    for (const leaver of leavers) leaver();
  };
  return {
    enter(id, hear) {
      const call = { id, hear, context: createContextQueue<() => void>((run) => run()) };
      calls.add(call);
      if (questions.size > 0) hear(true);
      return () => leave(call);
    },
    async ask(signal, run) {
      const { controller, release } = followAbort(signal);
      questions.add(controller);
      tell();
      const running = [...calls];
      const start = () => run({ signal: controller.signal, callIds: running.map(({ id }) => id) });
      try {
        const context = running.length === 1 ? running[0]?.context : outside;
        return await (context === undefined ? start() : startIn(context, start));
      } finally {
        questions.delete(controller);
        release();
        tell();
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

const TOUCHES_PER_LIMIT = 3;

/** While a person is being asked something, shows signs of life more often than the idle limit asks for. */
export function keepAliveWhileAsked(
  attendance: Attendance,
  callId: string,
  idleMs: number,
  touch: () => void,
): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const leave = attendance.enter(callId, (isPending) => {
    touch();
    clearInterval(timer);
    timer = isPending ? setInterval(touch, idleMs / TOUCHES_PER_LIMIT) : undefined;
  });
  return () => {
    leave();
    clearInterval(timer);
  };
}

import { followAbort } from '../../util/abort.js';

/**
 * Which tool calls run over a connection, and whether a person is being asked something meanwhile. A question does not say
 * which call it belongs to, so it counts for all that run.
 */
export interface Attendance {
  /** A call begins; it hears whenever a question comes or goes. Call what is returned when it ends. */
  enter(onQuestion: (isPending: boolean) => void): () => void;
  /** Runs a question. Its signal also fires when the calls that may have asked it have all ended. */
  ask<T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Resolves when no call runs any more, or when the signal fires. */
  untilEmpty(signal: AbortSignal): Promise<void>;
}

export function createAttendance(): Attendance {
  const calls = new Set<(isPending: boolean) => void>();
  const questions = new Set<AbortController>();
  const leavers = new Set<() => void>();

  const tell = (): void => {
    for (const call of calls) call(questions.size > 0);
  };
  return {
    enter(onQuestion) {
      // A function of its own per call, so that the same listener may come twice.
      const call = (isPending: boolean): void => onQuestion(isPending);
      calls.add(call);
      if (questions.size > 0) call(true);
      return () => {
        if (!calls.delete(call) || calls.size > 0) return;
        for (const question of questions) question.abort(new Error('Nobody waits for the answer any more.'));
        for (const leaver of leavers) leaver();
      };
    },
    async ask(signal, run) {
      const { controller, release } = followAbort(signal);
      questions.add(controller);
      tell();
      try {
        return await run(controller.signal);
      } finally {
        questions.delete(controller);
        release();
        tell();
      }
    },
    async untilEmpty(signal) {
      if (calls.size === 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const leave = (): void => {
          leavers.delete(leave);
          signal.removeEventListener('abort', leave);
          resolve();
        };
        leavers.add(leave);
        signal.addEventListener('abort', leave);
      });
    },
  };
}

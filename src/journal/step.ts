import type { Journal, JournalRecord, JournalStep } from './journal.js';
import { lazy } from '../util/lazy.js';
import { readRecord } from './read-record.js';

/** A step of the journal whose work is set later, because the work depends on whether the step is known. */
export class BegunStep<Kept extends JournalRecord> {
  /** The result of an earlier attempt; `undefined` if the step runs now. */
  readonly known: Promise<Kept | undefined>;
  /** The result, of this attempt or an earlier one. */
  readonly kept: Promise<Kept>;
  /** Sets the work of the step, once. */
  work: (work: Kept | Promise<Kept>) => void = () => {};
  /** Its work could not begin. */
  fail: (error: Error) => void = () => {};

  constructor(journal: Journal, step: JournalStep, onRejected: (reason: unknown) => void) {
    const work = new Promise<Kept>((resolve, reject) => {
      this.work = resolve;
      this.fail = reject;
    });
    let runsNow: (nothing: undefined) => void = () => {};
    const running = new Promise<undefined>((resolve) => {
      runsNow = resolve;
    });
    this.kept = keep(
      journal,
      step,
      () => {
        runsNow(undefined);
        return work;
      },
      onRejected,
    );
    this.known = Promise.race([running, this.kept]);
    // Each waiter gets the rejection itself; an engine that has ended the step does not wait.
    work.catch(() => {});
    this.kept.catch(() => {});
    this.known.catch(() => {});
  }
}

/** Requests a step from the journal. Within one process nothing runs twice for it, even if the engine tries. */
export async function keep<Kept extends JournalRecord>(
  journal: Journal,
  step: JournalStep,
  run: () => Promise<Kept>,
  onRejected: (reason: unknown) => void,
): Promise<Kept> {
  try {
    return readRecord<Kept>(step, await journal.step(step, lazy(run)));
  } catch (error) {
    onRejected(error);
    throw error;
  }
}

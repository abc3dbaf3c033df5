import type { Journal, JournalRecord, JournalStep } from '../core/journal.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { isRecord } from '../util/guards.js';
import { lazy } from '../util/lazy.js';

/** A step of the journal whose work may be given to it later, since what it is depends on whether the step is known. */
export class BegunStep<Kept extends JournalRecord> {
  /** What the step came to in an earlier attempt; `undefined`: it runs now. */
  readonly known: Promise<Kept | undefined>;
  /** What it came to, whenever that was. */
  readonly kept: Promise<Kept>;
  /** Gives the step its work, once. */
  work: (work: Kept | Promise<Kept>) => void = () => {};
  /** Its work could not be begun. */
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
    // Each rejection is thrown again to whoever waits for it; an engine that has ended the step waits no more.
    work.catch(() => {});
    this.kept.catch(() => {});
    this.known.catch(() => {});
  }
}

/** Asks the journal for a step. Within one process nothing runs twice for it, even if the engine tries. */
export async function keep<Kept extends JournalRecord>(
  journal: Journal,
  step: JournalStep,
  run: () => Promise<Kept>,
  onRejected: (reason: unknown) => void,
): Promise<Kept> {
  let kept: Kept;
  try {
    kept = await journal.step(step, lazy(run));
  } catch (error) {
    onRejected(error);
    throw error;
  }
  if (isRecord(kept) && kept.version === 1 && IS_RECORD[step.kind]({ ...kept })) return kept;
  const error = noRecordOf(step);
  onRejected(error);
  throw error;
}

/** What the journal gave for a step cannot be read. */
export function noRecordOf({ key }: Pick<JournalStep, 'key'>): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'journal',
    message: `The journal gave something for the step "${key}" that is no record of this version. A loop that began under another version of this package has to end under it.`,
  });
}

/** As much as tells the kinds from each other and from garbage; what is inside was written by this package. */
const IS_RECORD: Readonly<Record<JournalStep['kind'], (record: Readonly<Record<string, unknown>>) => boolean>> = {
  round: ({ parts }) => Array.isArray(parts) && parts.every(isRecord),
  tool: ({ output }) => isRecord(output) && Array.isArray(output['content']),
  mark: ({ attempt, call }) => typeof attempt === 'string' || isRecord(call),
};

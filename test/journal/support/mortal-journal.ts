import type { Journal, JournalStep } from 'responses-loop';

/** Where a process can die around a step: before its effect, between effect and record, or once the record is kept. */
export type When = 'begun' | 'ran' | 'kept';

/** A moment of an attempt, in the order they come. */
export interface Moment extends JournalStep {
  readonly when: When;
}

/**
 * What an engine keeps, in a map: every step has to be begun in the order of the first attempt, as engines demand that go
 * by order, and results are JSON.
 */
export class JournalStore {
  readonly records = new Map<string, string>();
  /** Every step there has been, in order. */
  readonly begun: JournalStep[] = [];
  readonly problems: string[] = [];

  /** One process: `dies` is asked at every moment. After its death nothing settles any more. */
  attempt(dies: (moment: Moment, index: number) => boolean): Attempt {
    const dead = new AbortController();
    const moments: Moment[] = [];
    let count = 0;
    const isDead = (step: JournalStep, when: When): boolean => {
      if (dead.signal.aborted) return true;
      const moment = { ...step, when };
      moments.push(moment);
      if (dies(moment, moments.length - 1)) dead.abort(new Error('The process died.'));
      return dead.signal.aborted;
    };
    const never = new Promise<never>(() => {});
    const journal: Journal = {
      step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
        if (dead.signal.aborted) return never;
        this.#compare(step, count);
        count += 1;
        const known = this.records.get(step.key);
        if (known !== undefined) return JSON.parse(known) as T;
        if (isDead(step, 'begun')) return never;
        const result = await run();
        if (isDead(step, 'ran')) return never;
        this.records.set(step.key, JSON.stringify(result));
        return isDead(step, 'kept') ? never : result;
      },
    };
    return { journal, moments, signal: dead.signal, replayed: () => count };
  }

  #compare(step: JournalStep, place: number): void {
    const known = this.begun[place];
    if (known === undefined) this.begun.push(step);
    else if (known.key !== step.key || known.kind !== step.kind || known.name !== step.name)
      this.problems.push(`Step ${place} was ${JSON.stringify(known)} and is ${JSON.stringify(step)} now.`);
  }
}

export interface Attempt {
  readonly journal: Journal;
  readonly moments: readonly Moment[];
  /** Fires when the process dies. */
  readonly signal: AbortSignal;
  /** How many steps were begun. */
  readonly replayed: () => number;
}

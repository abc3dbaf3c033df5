/** Says of a call that got a place whether it runs; counts the first time. One that does not gives its place back. */
export type Decide = (runs: boolean) => void;

type Waiting = (decide: Decide | undefined) => void;

/**
 * How many tools of a round may run. A call that finds all places taken waits until it is known whether the calls before it
 * run: so the order of the calls alone says which of them do, not the moment at which each arrived or was approved.
 */
export class ToolBudget {
  #left: number;
  /** Places of calls of which it is not known yet whether they run. */
  #undecided = 0;
  readonly #waiting: Waiting[] = [];
  /** The first in `#waiting` that still waits. */
  #next = 0;

  constructor(places: number) {
    this.#left = places;
  }

  /** A place, at once if there is one; `undefined` when every place belongs to a call that runs. */
  take(): Decide | undefined | Promise<Decide | undefined> {
    if (this.#left > 0) return this.#give();
    if (this.#undecided === 0) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #give(): Decide {
    this.#left -= 1;
    this.#undecided += 1;
    let isDecided = false;
    return (runs) => {
      if (isDecided) return;
      isDecided = true;
      this.#undecided -= 1;
      if (!runs) this.#left += 1;
      this.#serve();
    };
  }

  #serve(): void {
    for (; this.#left > 0 || this.#undecided === 0; this.#next += 1) {
      const first = this.#waiting[this.#next];
      if (first === undefined) return;
      first(this.#left > 0 ? this.#give() : undefined);
    }
  }
}

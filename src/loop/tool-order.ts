/**
 * Which calls of a round stand behind one that has to run alone: those it may not overtake. Every call is looked at a fixed
 * number of times, however many there are and in whatever order they are completed.
 */
export class CallOrder {
  /** Places in the order calls were begun in, of those whose arguments are not complete yet. */
  readonly #places = new Map<string, number>();
  /** The places of calls that have to run alone; those before `#firstOpen` are complete. */
  readonly #alone: { readonly place: number; readonly callId: string }[] = [];
  #firstOpen = 0;
  #begun = 0;
  #aloneIsComplete = false;

  /** The model began a call. */
  begin(callId: string, overlaps: boolean): void {
    if (this.#places.has(callId)) return;
    this.#places.set(callId, this.#begun);
    if (!overlaps) this.#alone.push({ place: this.#begun, callId });
    this.#begun += 1;
  }

  /** The model completed a call, begun before or not; says whether one before it has to run alone. */
  complete(callId: string, overlaps: boolean): boolean {
    const place = this.#places.get(callId) ?? this.#begun;
    const isBehind = this.#aloneIsComplete || this.#firstAlone() < place;
    this.#places.delete(callId);
    this.#aloneIsComplete ||= !overlaps;
    return isBehind;
  }

  #firstAlone(): number {
    for (; ; this.#firstOpen += 1) {
      const first = this.#alone[this.#firstOpen];
      if (first === undefined) return Infinity;
      if (this.#places.has(first.callId)) return first.place;
    }
  }
}

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

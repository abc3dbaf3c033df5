/** The schedule's facts about a call. */
interface Plan {
  readonly callId: string;
  /** The call changes nothing, so it may run parallel to other such calls. */
  readonly overlaps: boolean;
}

/**
 * Decides which calls of a round may run now. With `'auto'`, overlapping calls run together, and each other call alone,
 * in the model's order; a number sets how many run at once. Each call is checked a fixed number of times.
 */
export class Schedule {
  readonly #limit: 'auto' | number;
  /** Indexes of calls whose arguments are not complete yet, in the order the model began them. */
  readonly #begun = new Map<string, number>();
  /** Calls that have to run alone. Those before `#firstOpen` are complete. */
  readonly #alone: { readonly index: number; readonly callId: string }[] = [];
  #firstOpen = 0;
  #count = 0;
  #aloneIsComplete = false;
  readonly #running = new Set<string>();
  /** Calls among them that continue after the round. */
  readonly #runOn = new Set<string>();
  /** A call that has to run alone is running. */
  #runsAlone = false;
  /** Set once the round is over: calls that have not started yet, from `#next` on. */
  #waiting: readonly Plan[] | undefined;
  #next = 0;

  constructor(limit: 'auto' | number) {
    this.#limit = limit;
  }

  /** Every call of the round has ended, or continues without it. */
  get isDone(): boolean {
    return this.#running.size === this.#runOn.size && this.#next === this.#waiting?.length;
  }

  /** The model has begun a call. */
  begin({ callId, overlaps }: Plan): void {
    if (this.#begun.has(callId)) return;
    this.#begun.set(callId, this.#count);
    if (!overlaps) this.#alone.push({ index: this.#count, callId });
    this.#count += 1;
  }

  /** Takes a complete call, begun before or not. `'start'`: it overlaps, and no call before it has to run alone. */
  add({ callId, overlaps }: Plan): 'start' | 'wait' {
    const index = this.#begun.get(callId) ?? this.#count;
    let first = this.#alone[this.#firstOpen];
    while (first !== undefined && !this.#begun.has(first.callId)) first = this.#alone[++this.#firstOpen];
    const isBehind = this.#aloneIsComplete || (first !== undefined && first.index < index);
    this.#begun.delete(callId);
    this.#aloneIsComplete ||= !overlaps;
    return overlaps && !isBehind && this.#limit === 'auto' ? 'start' : 'wait';
  }

  /** A call runs before the round is over. */
  startedEarly(callId: string): void {
    this.#running.add(callId);
  }

  /**
   * Ends the round. Takes the calls that have not started, in the model's order, and returns the calls to start now.
   */
  close(calls: readonly Plan[]): string[] {
    this.#waiting = calls;
    return this.#startNow();
  }

  /** Releases the round from a running call. Returns the calls to start now. With a number it keeps its place. */
  runsOn(callId: string): string[] {
    if (this.#limit === 'auto') return this.ended(callId);
    this.#runOn.add(callId);
    return [];
  }

  /** Notes the end of a call. Returns the calls to start now. */
  ended(callId: string): string[] {
    this.#running.delete(callId);
    this.#runOn.delete(callId);
    if (this.#running.size === 0) this.#runsAlone = false;
    return this.#startNow();
  }

  #startNow(): string[] {
    const started: string[] = [];
    for (let call = this.#waiting?.[this.#next]; call !== undefined; call = this.#waiting?.[this.#next]) {
      if (!this.#hasRoom(call)) break;
      this.#next += 1;
      this.#running.add(call.callId);
      this.#runsAlone = !call.overlaps;
      started.push(call.callId);
    }
    return started;
  }

  #hasRoom({ overlaps }: Plan): boolean {
    const { size } = this.#running;
    if (this.#limit !== 'auto') return size < this.#limit;
    return size === 0 || (overlaps && !this.#runsAlone);
  }
}

/**
 * Decides whether a call that got a place runs. Only the first decision counts. A call that does not run returns its
 * place.
 */
export type Decide = (runs: boolean) => void;

/**
 * Limits the tools that a round may run. A call without a place waits for the decisions about earlier calls. So the
 * order of the calls decides, not the time of arrival or approval.
 */
export class ToolBudget {
  #left: number;
  /** Places of calls whose run is undecided. */
  #undecided = 0;
  readonly #waiting: ((decide: Decide | undefined) => void)[] = [];
  /** The first in `#waiting` that still waits. */
  #next = 0;

  constructor(places: number) {
    this.#left = places;
  }

  /** Returns a place, at once if there is one; `undefined` if every place belongs to a call that runs. */
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
      for (; this.#left > 0 || this.#undecided === 0; this.#next += 1) {
        const first = this.#waiting[this.#next];
        if (first === undefined) return;
        first(this.#left > 0 ? this.#give() : undefined);
      }
    };
  }
}

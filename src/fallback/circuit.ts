export interface CircuitOptions {
  /** Failures in a row after which the primary is left alone. */
  readonly failures: number;
  /** How long the primary is left alone, in milliseconds. Then one call tries it. */
  readonly restMs: number;
  readonly now: () => number;
}

/** A call that may ask the primary. Only its first report counts. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** The call shows nothing about the primary: it was aborted, or the stock provider failed too. */
  left(): void;
}

/**
 * A circuit breaker: after several failures in a row the primary is left alone for a while. Then one call tries it. Until that
 * call ends, the stock provider answers the others.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #failures = 0;
  #openUntil: number | undefined;
  #trying: Attempt | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Returns `undefined` if the primary must not be asked now. */
  enter(): Attempt | undefined {
    if (this.#openUntil === undefined) return this.#attempt();
    if (this.#trying !== undefined || this.#options.now() < this.#openUntil) return undefined;
    this.#trying = this.#attempt();
    return this.#trying;
  }

  #attempt(): Attempt {
    let isOver = false;
    const ends = (then: (isTry: boolean) => void) => (): void => {
      if (isOver) return;
      isOver = true;
      const isTry = this.#trying === attempt;
      // Calls that began earlier may end while another one tries.
      if (isTry) this.#trying = undefined;
      then(isTry);
    };
    const attempt: Attempt = {
      succeeded: ends(() => {
        this.#failures = 0;
        this.#openUntil = undefined;
      }),
      failed: ends((isTry) => {
        const { failures, restMs, now } = this.#options;
        this.#failures += 1;
        // Calls that fail late do not prolong the pause.
        const isDue = isTry || this.#openUntil === undefined;
        if (isDue && this.#failures >= failures) this.#openUntil = now() + restMs;
      }),
      left: ends(() => {}),
    };
    return attempt;
  }
}

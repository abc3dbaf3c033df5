export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open, in milliseconds; then one call tries. */
  readonly restMs: number;
  readonly now: () => number;
}

/** A call that may ask the primary; it says once how that went. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** The call says nothing about the primary: it was aborted, or the stock provider failed too. */
  left(): void;
}

/**
 * A circuit breaker: after several failures in a row the primary is left alone for a while. Then one call tries it; the
 * others wait for how that goes with the stock provider.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #failures = 0;
  #openUntil: number | undefined;
  /** The one call that tries. */
  #trying: Attempt | undefined;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** `undefined`: the primary is not to be asked now. */
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
      // Calls that began before it opened come back while another tries.
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
        // Those that come back late do not make the rest longer.
        const isDue = isTry || this.#openUntil === undefined;
        if (isDue && this.#failures >= failures) this.#openUntil = now() + restMs;
      }),
      left: ends(() => {}),
    };
    return attempt;
  }
}

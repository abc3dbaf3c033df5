export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open, in milliseconds; then one call tries. */
  readonly restMs: number;
  readonly now: () => number;
}

/**
 * A circuit breaker: after several failures in a row the primary is left alone for a while. Then one call tries it; the
 * others wait for how that goes with the stock provider.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  #failures = 0;
  #openUntil: number | undefined;
  #isTrying = false;

  constructor(options: CircuitOptions) {
    this.#options = options;
  }

  /** Whether the primary may be asked; whoever is told so says afterwards how it went. */
  enter(): boolean {
    if (this.#openUntil === undefined) return true;
    if (this.#isTrying || this.#options.now() < this.#openUntil) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#isTrying = false;
  }

  failed(): void {
    this.#isTrying = false;
    this.#failures += 1;
    if (this.#failures >= this.#options.failures) this.#openUntil = this.#options.now() + this.#options.restMs;
  }

  /** The call says nothing about the primary: it was aborted, or the stock provider failed too. */
  left(): void {
    this.#isTrying = false;
  }
}

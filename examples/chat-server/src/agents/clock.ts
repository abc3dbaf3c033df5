/** A time limit that rests while somebody else is waited for. */
export class Clock {
  readonly #abort = new AbortController();
  #leftMs: number;
  #startedAt = 0;
  #holds = 0;
  #isRunning = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  /** Fires when the time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(): void {
    this.#isRunning = true;
    if (this.#holds === 0) this.#arm();
  }

  stop(): void {
    this.#isRunning = false;
    this.#disarm();
  }

  async hold<T>(wait: Promise<T>): Promise<T> {
    this.#holds += 1;
    this.#disarm();
    try {
      return await wait;
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0 && this.#isRunning) this.#arm();
    }
  }

  #arm(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#abort.abort(new Error('the time was over')), this.#leftMs);
  }

  #disarm(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }
}

/** A time limit that rests while somebody else is waited for. */
export class Clock {
  readonly #abort = new AbortController();
  #leftMs: number;
  #startedAt = 0;
  #holds = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  /** Fires when the time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#abort.abort(new Error('the time was over')), this.#leftMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async hold<T>(wait: Promise<T>): Promise<T> {
    this.#holds += 1;
    if (this.#holds === 1 && this.#timer !== undefined) {
      this.stop();
      this.#leftMs -= performance.now() - this.#startedAt;
    }
    try {
      return await wait;
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.start();
    }
  }
}

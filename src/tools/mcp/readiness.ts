import { raceAbort } from '../../util/abort.js';
import { withTimeout } from '../../util/timers.js';

const MAX_MS = 3_000;

/**
 * What tells whether trying again early makes sense, asked of the app's own code, which may never answer. What is not known
 * in time is `undefined`; nobody waits twice for the same answer.
 */
export class Readiness {
  readonly #ask: () => Promise<unknown>;
  readonly #limitMs: number;
  readonly #closing: AbortSignal;
  #asked: Promise<unknown> | undefined;
  #isLate = false;

  constructor(ask: () => Promise<unknown>, limitMs: number, closing: AbortSignal) {
    this.#ask = ask;
    this.#limitMs = Math.min(limitMs, MAX_MS);
    this.#closing = closing;
  }

  async mark(): Promise<unknown> {
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
      this.#isLate = false;
    });
    if (this.#isLate) return undefined;
    const late = (): Error => {
      this.#isLate = true;
      return new Error('no answer in time');
    };
    try {
      return await withTimeout(raceAbort(this.#asked, this.#closing), this.#limitMs, late);
    } catch {
      return undefined;
    }
  }
}

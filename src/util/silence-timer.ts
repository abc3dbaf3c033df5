import { timerMs } from './timer-ms.js';

/**
 * Tells when a wait has lasted too long, for waits that come one after the other. One timer runs through many of them and
 * looks, when it fires, how long the present one has lasted: setting a timer for each costs more than most of what is
 * waited for.
 */
export class SilenceTimer {
  #since: number | undefined;
  #ms = 0;
  #onSilence: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = 0;
  #waits = 0;
  /** The wait that was under way when the timer was set. */
  #timed = 0;

  /** A wait begins, of so many milliseconds at most; 0 is for ever. */
  begin(ms: number, onSilence: () => void): void {
    if (ms <= 0) return;
    this.#waits += 1;
    this.#since = performance.now();
    this.#ms = ms;
    this.#onSilence = onSilence;
    if (this.#timer === undefined || this.#since + ms < this.#firesAt) this.#set(ms);
  }

  /** It is over; the next one may follow. */
  end(): void {
    this.#since = undefined;
  }

  /** No further wait follows. */
  stop(): void {
    this.end();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #set(ms: number): void {
    clearTimeout(this.#timer);
    this.#timed = this.#waits;
    this.#firesAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.#look(), timerMs(ms));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#since === undefined) return;
    // The timer of this very wait is to be believed: tests that turn the clock forward often turn this one alone.
    const left = this.#timed === this.#waits ? 0 : this.#since + this.#ms - performance.now();
    if (left > 0) this.#set(left);
    else this.#onSilence();
  }
}

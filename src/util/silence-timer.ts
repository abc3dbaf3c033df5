import { timerMs } from './timer-ms.js';

/**
 * Tells when a wait has lasted too long, for waits that come one after the other. One timer runs through many of them and
 * looks, when it fires, how long the present one has lasted: setting a timer for each costs more than most of what is
 * waited for.
 */
export class SilenceTimer {
  readonly #ms: number;
  readonly #onSilence: () => void;
  #since: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ms` of 0 is for ever. */
  constructor(ms: number, onSilence: () => void) {
    this.#ms = ms;
    this.#onSilence = onSilence;
  }

  /** A wait begins. */
  begin(): void {
    if (this.#ms <= 0) return;
    this.#since = performance.now();
    if (this.#timer === undefined) this.#set(this.#ms);
  }

  /** It is over; the next one may follow. */
  end(): void {
    this.#since = undefined;
  }

  /** No further wait follows. */
  stop(): void {
    this.end();
    clearTimeout(this.#timer);
  }

  #set(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), timerMs(ms));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#since === undefined) return;
    const left = this.#since + this.#ms - performance.now();
    if (left > 0) this.#set(left);
    else this.#onSilence();
  }
}

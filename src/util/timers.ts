import { bytesOf } from './bytes.js';
import { raceAbort, type AbortLike } from './abort.js';

/** The maximum of timers; larger delays would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** If the platform has it: pending requests are sent before, and arrived data is read. */
const { setImmediate: immediate } = globalThis as { readonly setImmediate?: (work: () => void) => unknown };

/** Runs a function after this turn's requests are sent and its arrived data is read. */
export function afterEvents(work: () => void): void {
  if (immediate === undefined) work();
  else immediate(work);
}

/** A delay that a timer can take; `0` and `Infinity` mean no limit. */
export function timerMs(milliseconds: number): number {
  return milliseconds > 0 ? Math.min(milliseconds, MAX_TIMER_MS) : MAX_TIMER_MS;
}

/**
 * Milliseconds since a moment of this process, for durations, because a wall clock may be set. Whole numbers, because
 * durations are shown. `Date.now` is for times that leave or enter the process.
 */
export function steadyNow(): number {
  return Math.floor(performance.now());
}

/** Waits, unless the signal fires first; then rejects with its reason. Leaves no timer and no listener behind. */
export function delay(ms: number, signal: AbortLike): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => {
    // In `timerMs`, 0 means no limit; here it means no wait.
    timer = setTimeout(resolve, ms > 0 ? timerMs(ms) : 0);
  });
  return raceAbort(wait, signal).finally(() => clearTimeout(timer));
}

/** Settles with the promise, or rejects after `ms` milliseconds without it; 0 waits for ever. Leaves no timer behind. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  if (ms <= 0) return promise;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timerMs(ms));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reports if a wait lasts too long, for consecutive waits. A single timer serves many waits and checks, when it fires,
 * how long the present wait has lasted. A timer for each would cost more than most waits.
 */
export class SilenceTimer {
  #since: number | undefined;
  #ms = 0;
  #onSilence: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = 0;
  #waits = 0;
  /** The wait during which the timer was set. */
  #timed = 0;

  /** A wait of at most so many milliseconds begins; 0 is no limit. */
  begin(ms: number, onSilence: () => void): void {
    if (ms <= 0) return;
    this.#waits += 1;
    this.#since = performance.now();
    this.#ms = ms;
    this.#onSilence = onSilence;
    if (this.#timer === undefined || this.#since + ms < this.#firesAt) this.#set(ms);
  }

  /** Ends the wait; another may follow. */
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
    // Trusts a timer of this wait without the clock, because fake timers of tests often do not move it.
    const left = this.#timed === this.#waits ? 0 : this.#since + this.#ms - performance.now();
    if (left > 0) this.#set(left);
    else this.#onSilence();
  }
}

/** The most pieces for the rest of a stream. */
const MAX_PIECES = 16;
/** A new connection is cheaper than reading more of it. */
const MAX_BYTES = 64_000;

/**
 * Reads the rest of an unneeded stream, mostly nothing, because a connection can serve the next request only after its
 * end. Resolves to whether the end arrived in time.
 */
export function drainWithin(
  ms: number,
  read: () => PromiseLike<IteratorResult<unknown>>,
  signal: AbortLike,
): Promise<boolean> {
  return new Promise((resolve) => {
    let isSettled = false;
    let pieces = 0;
    let bytes = 0;
    const settle = (hasEnded: boolean): void => {
      isSettled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(hasEnded);
    };
    const giveUp = (): void => settle(false);
    const timer = setTimeout(giveUp, ms);
    signal.addEventListener('abort', giveUp, { once: true });
    const readOn = async (): Promise<void> => {
      const { done, value } = await read();
      pieces += 1;
      bytes += bytesOf(value)?.length ?? 0;
      if (isSettled) return;
      if (done === true || pieces === MAX_PIECES || bytes > MAX_BYTES) settle(done === true);
      else await readOn();
    };
    if (signal.aborted) giveUp();
    else readOn().catch(giveUp);
  });
}

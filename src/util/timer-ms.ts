/** What timers take; larger delays would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** A delay that a timer can take; `0` and `Infinity` mean: none. */
export function timerMs(milliseconds: number): number {
  return milliseconds > 0 ? Math.min(milliseconds, MAX_TIMER_MS) : MAX_TIMER_MS;
}

import type { Observer } from './event.js';
import { notify, TRACEPARENT, traceparentOf, type TracingObserver, wantingRounds, wantsRounds } from './notify.js';

/**
 * Joins several observers.
 *
 * @example
 * createResponsesProvider({ onEvent: observers(logEvents(console), httpLog(keep)) });
 */
export function observers(...all: readonly Observer[]): Observer {
  const observer: TracingObserver = (event) => {
    // A failing observer does not affect the others.
    for (const each of all) if (event.type !== 'round-kept' || wantsRounds(each)) notify(each, () => event);
  };
  observer[TRACEPARENT] = (run) => all.map((each) => traceparentOf(each, run)).find((found) => found !== undefined);
  return all.some(wantsRounds) ? wantingRounds(observer) : observer;
}

import { quietly } from '../util/quietly.js';
import type { Observer, ObserverEvent } from './event.js';
import type { Redactor } from './redactor.js';
import { TRACEPARENT, type TracingObserver } from './traceparent.js';

/** Calls the observer, if there is one; the event is only made when it is wanted. Watching changes nothing. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer !== undefined) quietly(() => observer(event()));
}

/** The same observer, which gets every event without secrets. */
export function redacting(observer: Observer | undefined, redactor: Redactor): Observer | undefined {
  if (observer === undefined) return undefined;
  const traces = (observer as TracingObserver)[TRACEPARENT];
  const redacted: Observer = (event) => observer(redactor.value(event));
  return traces === undefined ? redacted : Object.assign(redacted, { [TRACEPARENT]: traces });
}

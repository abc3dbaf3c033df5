import type { Observer } from './event.js';
import type { Redactor } from './redactor.js';
import { TRACEPARENT, type TracingObserver } from './traceparent.js';

/** The same observer, which gets every event without secrets. */
export function redacting(observer: Observer | undefined, redactor: Redactor): Observer | undefined {
  if (observer === undefined) return undefined;
  const traces = (observer as TracingObserver)[TRACEPARENT];
  const redacted: Observer = (event) => observer(redactor.value(event));
  return traces === undefined ? redacted : Object.assign(redacted, { [TRACEPARENT]: traces });
}

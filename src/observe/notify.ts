import { ignoreErrors } from '../util/error-text.js';
import type { Observer, ObserverEvent } from './event.js';
import type { Redactor } from './redactor.js';

/** Calls the observer, if any; creates the event only for it. Observers change nothing. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer !== undefined) ignoreErrors(() => observer(event()));
}

/** For observers whose code is not loaded yet. */
const LOADING = new Set<() => Promise<unknown>>();

/** Calls wait for this code, because an app that flushes spans right after its first call would miss them. */
export function loadsCode(load: () => Promise<unknown>, loading: Promise<unknown>): void {
  LOADING.add(load);
  const forget = (): void => void LOADING.delete(load);
  loading.then(forget, forget);
}

/** `undefined`: nothing is loaded. Each call loads it again, because Workers refuse promises that requests share. */
export function observersLoading(): Promise<unknown> | undefined {
  return LOADING.size === 0 ? undefined : Promise.allSettled([...LOADING].map((load) => load()));
}

/** Returns an observer that passes on every event without secrets. */
export function redacting(observer: Observer | undefined, redactor: Redactor): Observer | undefined {
  return observer === undefined ? undefined : observing(observer, (event) => observer(redactor.value(event)));
}

/** Returns an observer that replaces another one, and names the same spans. */
export function observing(observer: Observer, take: Observer): Observer {
  for (const mark of [TRACEPARENT, WANTS_ROUNDS] as const)
    if (mark in observer) Object.assign(take, { [mark]: (observer as TracingObserver & KeepingObserver)[mark] });
  return take;
}

/** The mark of an observer that gets `round-kept`. Without it the event is not created. */
const WANTS_ROUNDS = Symbol.for('responses-loop.wants-rounds');

interface KeepingObserver extends Observer {
  [WANTS_ROUNDS]?: boolean;
}

/** Marks an observer that keeps rounds in full. */
export function wantingRounds<T extends Observer>(observer: T): T {
  return Object.assign(observer, { [WANTS_ROUNDS]: true });
}

export function wantsRounds(observer: KeepingObserver): boolean {
  return observer[WANTS_ROUNDS] === true;
}

/** An observer that traces returns the span of a tool's run under this name. */
export const TRACEPARENT = Symbol.for('responses-loop.traceparent');

/** An observer that also names the span of a tool's run, in the form of W3C trace context. */
export interface TracingObserver extends Observer {
  [TRACEPARENT]?(run: { readonly callNumber: number; readonly callId: string }): string | undefined;
}

/** `00-<trace>-<span>-<flags>`; `undefined` without tracing. */
export function traceparentOf(
  observer: TracingObserver | undefined,
  run: { readonly callNumber: number; readonly callId: string },
): string | undefined {
  try {
    return observer?.[TRACEPARENT]?.(run);
  } catch {
    return undefined;
  }
}

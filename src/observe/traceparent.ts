import type { Observer } from './event.js';

/** Under this name an observer that traces says in which span a tool runs. */
export const TRACEPARENT = Symbol.for('responses-loop.traceparent');

/** An observer that also names the span of a run of a tool, in the words of W3C trace context. */
export interface TracingObserver extends Observer {
  [TRACEPARENT]?(run: { readonly callNumber: number; readonly callId: string }): string | undefined;
}

/** `00-<trace>-<span>-<flags>`; `undefined` where nothing traces. */
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

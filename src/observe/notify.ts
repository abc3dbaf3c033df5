import type { Observer, ObserverEvent } from './event.js';

/** Calls the observer, if there is one; the event is only made when it is wanted. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer === undefined) return;
  try {
    observer(event());
  } catch {
    // Watching must not change what is watched.
  }
}

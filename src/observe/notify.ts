import type { Observer, ObserverEvent } from './event.js';

/** Calls the observer, if there is one; the event is only made when it is wanted. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer === undefined) return;
  try {
    // Its type says nothing comes back, but an async function fits that too.
    const returned: unknown = observer(event());
    if (returned instanceof Promise) returned.catch(() => {});
  } catch {
    // Watching must not change what is watched.
  }
}

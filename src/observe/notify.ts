import type { Observer, ObserverEvent } from './event.js';

/** Calls the observer, if there is one; the event is only made when it is wanted. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer !== undefined) quietly(() => observer(event()));
}

/** Runs what a watcher does; failing, now or later, changes nothing: watching must not change what is watched. */
export function quietly(run: () => unknown): void {
  try {
    // Types say nothing comes back, but an async function fits them too, and its rejection would end a Node process.
    Promise.resolve(run()).catch(() => {});
  } catch {
    // As said.
  }
}

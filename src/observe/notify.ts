import { ignoreErrors } from '../util/error-text.js';
import type { Observer, ObserverEvent } from './event.js';

/** Calls the observer, if there is one; the event is only made when it is wanted. Watching changes nothing. */
export function notify(observer: Observer | undefined, event: () => ObserverEvent): void {
  if (observer !== undefined) ignoreErrors(() => observer(event()));
}

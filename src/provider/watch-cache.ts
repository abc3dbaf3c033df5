import type { Observer } from '../observe/event.js';
import { loadsCode, notify, observing } from '../observe/notify.js';

/**
 * Passes all events on, and adds `cache-break` for a round whose beginning the server did not read from its prompt
 * cache, although an earlier request of the conversation had it: with the first field or item that differs, and the
 * tokens it cost. Keeps hashes of requests, no texts, of the 200 latest conversations. Use one for each provider.
 *
 * @example
 * createResponsesProvider({ onEvent: watchCache(logEvents(console)) });
 */
export function watchCache(observer: Observer): Observer {
  let watching: Observer | undefined;
  // Loaded here, so that only its users load it.
  const load = async (): Promise<Observer> => {
    const { createCacheObserver } = await import('../observe/watched-requests.js');
    return (watching ??= createCacheObserver(observer));
  };
  loadsCode(load, load());
  return observing(observer, (event) => {
    notify(observer, () => event);
    watching?.(event);
  });
}

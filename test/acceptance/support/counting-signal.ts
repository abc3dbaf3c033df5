/** A signal that tells how many listeners it has: what is left of them after a call would keep the call in memory. */
export function countingSignal(): {
  readonly signal: AbortSignal;
  readonly abort: (reason?: unknown) => void;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  const listening = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: AddEventListenerOptions | boolean,
  ) => {
    listening.add(listener);
    add(type, listener, options);
  };
  signal.removeEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: EventListenerOptions | boolean,
  ) => {
    listening.delete(listener);
    remove(type, listener, options);
  };
  return {
    signal,
    abort: (reason) => {
      controller.abort(reason);
      // Listeners are there once only: the platform has dropped them.
      listening.clear();
    },
    listeners: () => listening.size,
  };
}

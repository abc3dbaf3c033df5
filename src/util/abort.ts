/** The reason a signal was aborted with, always as an error that the AI SDK takes for an abort. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new DOMException('The call was aborted.', 'AbortError');
}

/**
 * Settles with the promise or rejects as soon as the signal fires, whichever is first; leaves no listener behind.
 * The promise goes on in the background: what it still does is nobody's business any more.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    if (signal.aborted) {
      onAbort();
      // Keep a late rejection from surfacing as unhandled.
      promise.then(undefined, () => {});
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).then(() => signal.removeEventListener('abort', onAbort));
  });
}

/** A controller that follows its parents, whichever fires first, until it is released. */
export function followAbort(...parents: readonly (AbortSignal | undefined)[]): {
  controller: AbortController;
  release: () => void;
} {
  const controller = new AbortController();
  const followed = parents.flatMap((parent) => {
    if (parent === undefined) return [];
    const onAbort = (): void => controller.abort(parent.reason);
    if (parent.aborted) onAbort();
    else parent.addEventListener('abort', onAbort, { once: true });
    return [{ parent, onAbort }];
  });
  const release = (): void => {
    for (const { parent, onAbort } of followed) parent.removeEventListener('abort', onAbort);
  };
  return { controller, release };
}

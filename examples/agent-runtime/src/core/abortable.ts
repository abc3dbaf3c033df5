const ABORTED = Symbol('aborted');

/** The promise's value; `undefined` if it is not there within `graceMs` after the signal. */
export async function withinGrace<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const givenUp = new Promise<typeof ABORTED>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(ABORTED), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    const value = await Promise.race([promise, givenUp]);
    return value === ABORTED ? undefined : value;
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    // Given up, it may still fail later.
    promise.catch(() => {});
  }
}

/** Returns the text of a thrown value, with the code of its cause, because `fetch failed` alone explains nothing. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error)) return describe(error);
  const cause = causeText(error.cause);
  const message = error.message === '' ? error.name : error.message;
  return cause === undefined || message.includes(cause) ? message : `${message} (${cause})`;
}

function causeText(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  // Node's fetch hides the attempts on several addresses in an AggregateError without a message of its own.
  const inner: unknown = cause instanceof AggregateError ? cause.errors[0] : undefined;
  if (cause.message !== '') return cause.message;
  return inner instanceof Error ? inner.message : undefined;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string') {
    return value.message;
  }
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Code may throw any value. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Runs a function and ignores its errors, now or later, because an observer must not change the call. */
export function ignoreErrors(run: () => unknown): void {
  try {
    // The type is `void`, but an async function fits it too, and its rejection would end a Node process.
    Promise.resolve(run()).catch(() => {});
  } catch {
    // Ignored.
  }
}

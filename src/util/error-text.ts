/** What a thrown value says, with the code of its cause: `fetch failed` alone says nothing. */
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

/** Anything may be thrown. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Runs what may fail, now or later, and ignores its errors: an observer may not change what it observes. */
export function ignoreErrors(run: () => unknown): void {
  try {
    // Types say nothing comes back, but an async function fits them too, and its rejection would end a Node process.
    Promise.resolve(run()).catch(() => {});
  } catch {
    // As said.
  }
}

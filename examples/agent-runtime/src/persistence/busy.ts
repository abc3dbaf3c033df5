/** How long one attempt waits for a lock that another process holds. */
const PATIENCE_MS = 2000;
const POLL_MS = 25;
/** The pauses before further attempts. */
const PAUSES_MS = [50, 200, 800];

/**
 * Runs an operation again while the database is locked, without holding this process up meanwhile. `onBusy` is awaited
 * before each further attempt.
 */
export async function withBusyRetries<T>(
  operation: () => Promise<T>,
  onBusy: () => Promise<void> = async () => {},
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await patiently(operation, onBusy);
    } catch (error) {
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || !isBusy(error)) throw error;
      await sleep(pause);
    }
  }
}

async function patiently<T>(operation: () => Promise<T>, onBusy: () => Promise<void>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await onBusy();
      if (Date.now() >= until) throw error;
      await sleep(POLL_MS);
    }
  }
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(BUSY|LOCKED)/);
}

/** A rule of the tables was broken, so that trying again would not help: the session of a row is gone, or its place is taken. */
export function brokenRule(error: unknown): 'session_gone' | 'refused' | undefined {
  if (!hasCode(error, /^SQLITE_CONSTRAINT/)) return undefined;
  const message = messagesOf(error);
  if (/FOREIGN KEY constraint/.test(message)) return 'session_gone';
  return /(UNIQUE|CHECK|NOT NULL) constraint/.test(message) ? 'refused' : undefined;
}

/** Drizzle wraps the client's error, which wraps the database's. */
function hasCode(error: unknown, code: RegExp): boolean {
  for (const { code: own } of chainOf(error)) if (typeof own === 'string' && code.test(own)) return true;
  return false;
}

function messagesOf(error: unknown): string {
  return chainOf(error)
    .map(({ message }) => message)
    .join('\n');
}

function chainOf(error: unknown): (Error & { code?: unknown })[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 10; next = next.cause) chain.push(next);
  return chain;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

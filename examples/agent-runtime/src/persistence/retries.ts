/** How long one attempt waits for what is in its way. */
const PATIENCE_MS = 2000;
const POLL_MS = 25;
/** The pauses before further attempts. */
const PAUSES_MS = [50, 200, 800];

export interface RetryRules {
  /** Whether the same operation may succeed a moment later. */
  readonly isPassing: (error: unknown) => boolean;
  /** Awaited before each further attempt. */
  readonly renew?: (() => Promise<void>) | undefined;
}

/** Runs an operation again while something passing is in its way, without holding this process up meanwhile. */
export async function withRetries<T>(operation: () => Promise<T>, rules: RetryRules): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await patiently(operation, rules);
    } catch (error) {
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || !rules.isPassing(error)) throw error;
      await sleep(pause);
    }
  }
}

async function patiently<T>(operation: () => Promise<T>, { isPassing, renew }: RetryRules): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await operation();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await renew?.();
      if (Date.now() >= until) throw error;
      await sleep(POLL_MS);
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

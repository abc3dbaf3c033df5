import { setTimeout as sleep } from 'node:timers/promises';

const CLOSE_MS = 5_000;

/** Whether the promise settles in time; leaves no timer behind. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    timer.abort();
  }
}

/** Closing takes a moment only. */
export function closesInTime(provider: { close(): Promise<void> }): Promise<boolean> {
  return within(provider.close(), CLOSE_MS);
}

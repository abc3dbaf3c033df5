import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

/** Jobs for the tests of `run-job.ts` and `run-process-job.ts`. */
export function echo(input: unknown): unknown {
  return { input, threadId };
}

export function spin(): never {
  for (;;);
}

export async function wait(ms: number): Promise<number> {
  await sleep(ms);
  return threadId;
}

export function fill(): never {
  let kept: unknown;
  for (;;) kept = { kept };
}

export function fail(): never {
  throw Object.assign(new RangeError('too far'), { code: 'FAR' });
}

/** As V8 does when a table has no room. */
export function abort(): never {
  process.abort();
}

import type { ApiError } from '../errors/api-error.js';
import { retryAfterMs } from '../util/retry-after.js';

const MINUTE_MS = 60_000;
/** No server's word is taken for longer than this: somebody may have paid meanwhile. */
const LONGEST_REST_MS = 60 * MINUTE_MS;

/** How long a key rests after a refusal where the server does not say; milliseconds. */
const REST_MS: Readonly<Record<number, number>> = {
  // The key itself is wrong, or not allowed this.
  401: 10 * MINUTE_MS,
  403: 10 * MINUTE_MS,
  // No money left.
  402: 10 * MINUTE_MS,
  429: MINUTE_MS / 2,
};

/** Quota that is used up does not come back by waiting, unlike a rate. */
const QUOTA = /quota|billing|credit/i;

export function restMs(error: ApiError, now: number): number {
  const asked = retryAfterMs(error.responseHeaders, now);
  const usual = QUOTA.test(error.serverCode ?? '') ? REST_MS[402] : REST_MS[error.statusCode ?? 0];
  return Math.min(asked ?? usual ?? MINUTE_MS / 2, LONGEST_REST_MS);
}

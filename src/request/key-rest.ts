import type { ApiError } from '../errors/api-error.js';
import { askedDelayMs } from './retry-delay.js';

const MINUTE_MS = 60_000;
/** No server's word is taken for longer than this: somebody may have paid meanwhile. */
const LONGEST_REST_MS = 60 * MINUTE_MS;

/** How long a key rests after a refusal where the server does not say; milliseconds. */
const REST_MS: Readonly<Record<number, number>> = {
  // The key itself is wrong, or not allowed this.
  401: 10 * MINUTE_MS,
  403: 10 * MINUTE_MS,
  429: MINUTE_MS / 2,
};
/** No money left: the least that such a key rests. */
const SPENT_MS = 10 * MINUTE_MS;

const QUOTA = /quota|billing|credit/i;

export function restMs(error: ApiError, now: number): number {
  const asked = askedDelayMs(error, now);
  return Math.min(isSpent(error) ? Math.max(asked ?? 0, SPENT_MS) : (asked ?? usualMs(error)), LONGEST_REST_MS);
}

/** Quota that is used up does not come back by waiting, unlike a rate: a server that asks for less speaks of its rate. */
function isSpent({ statusCode, serverCode }: ApiError): boolean {
  return statusCode === 402 || QUOTA.test(serverCode ?? '');
}

function usualMs({ statusCode }: ApiError): number {
  return REST_MS[statusCode ?? 0] ?? MINUTE_MS / 2;
}

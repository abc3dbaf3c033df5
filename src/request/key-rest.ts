import type { ApiError } from '../errors/api-error.js';
import { askedInWords, retryAfterMs } from './retry-delay.js';

const MINUTE_MS = 60_000;
/** No server's word is taken for longer than this: somebody may have paid meanwhile. */
const LONGEST_REST_MS = 60 * MINUTE_MS;
/** Nor for less than this: calls at the same time would each ask with every key, one after the other. */
const SHORTEST_REST_MS = 1_000;

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
  const asked = retryAfterMs(error.responseHeaders, now) ?? restInWords(error);
  const rest = isSpent(error) ? Math.max(asked ?? 0, SPENT_MS) : (asked ?? usualMs(error));
  return Math.min(Math.max(rest, SHORTEST_REST_MS), LONGEST_REST_MS);
}

/** A rest is for all calls, and words may be repeated from one of them: they can only shorten it. */
function restInWords(error: ApiError): number | undefined {
  const asked = askedInWords(error);
  return asked === undefined ? undefined : Math.min(asked, usualMs(error));
}

/** Quota that is used up does not come back by waiting, unlike a rate: a server that asks for less speaks of its rate. */
function isSpent({ statusCode, serverCode }: ApiError): boolean {
  return statusCode === 402 || QUOTA.test(serverCode ?? '');
}

function usualMs({ statusCode }: ApiError): number {
  return REST_MS[statusCode ?? 0] ?? MINUTE_MS / 2;
}

import type { ApiError } from '../errors/api-error.js';
import { retryAfterIn, retryAfterMs } from '../util/retry-after.js';

export interface RetrySettings {
  /** Further attempts after the first. */
  readonly maxRetries: number;
  /** Longest pause before the first retry, in milliseconds; doubled for each further one. */
  readonly initialDelayMs: number;
  /** No pause is longer; a server that asks for more is not asked again. */
  readonly maxDelayMs: number;
}

export interface RetryContext {
  readonly now: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/**
 * The pause before attempt `retry` (from 1), in milliseconds: what the server asks for, else anything up to a limit that
 * doubles ("full jitter": clients that failed together do not come back together). `undefined`: not worth waiting.
 */
export function retryDelay(
  retry: number,
  error: ApiError,
  settings: RetrySettings,
  { now, random }: RetryContext,
): number | undefined {
  if (retry > settings.maxRetries) return undefined;
  const asked = retryAfterMs(error.responseHeaders, now) ?? askedInWords(error);
  // "At once" says nothing that should bring all clients back together.
  if (asked !== undefined && asked > 0) return asked <= settings.maxDelayMs ? asked : undefined;
  return Math.floor(random() * Math.min(settings.initialDelayMs * 2 ** (retry - 1), settings.maxDelayMs));
}

/** How long the words of a 429 ask to leave the server alone, in milliseconds; words of other errors are about something else. */
export function askedInWords(error: ApiError): number | undefined {
  if (error.statusCode !== 429) return undefined;
  return retryAfterIn(error.message) ?? retryAfterIn(error.responseBody ?? '');
}

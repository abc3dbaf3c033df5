import type { ApiError } from '../errors/api-error.js';

/** As in the settings; without `maxToolRetries`. */
export type RetrySettings = Readonly<Record<'maxRetries' | 'initialDelayMs' | 'maxDelayMs', number>>;

export interface RetryContext {
  readonly now: number;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/**
 * Returns the pause before attempt `retry` (from 1), in milliseconds: the server's wish, else a random time below a
 * limit that doubles ("full jitter", so that failed clients do not return together). `undefined`: not worth waiting.
 */
export function retryDelay(
  retry: number,
  error: ApiError,
  settings: RetrySettings,
  { now, random }: RetryContext,
): number | undefined {
  if (retry > settings.maxRetries) return undefined;
  const asked = retryAfterMs(error.responseHeaders, now) ?? askedInWords(error);
  // "At once" is ignored, because all clients would return together.
  if (asked !== undefined && asked > 0) return asked <= settings.maxDelayMs ? asked : undefined;
  return Math.floor(random() * Math.min(settings.initialDelayMs * 2 ** (retry - 1), settings.maxDelayMs));
}

/** Returns the wait that the text of a 429 requests, in milliseconds; texts of other errors mean something else. */
export function askedInWords(error: ApiError): number | undefined {
  if (error.statusCode !== 429) return undefined;
  return retryAfterIn(error.message) ?? retryAfterIn(error.responseBody ?? '');
}

type Headers = Readonly<Record<string, string>>;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns how long a server asks to wait, in milliseconds: `retry-after-ms`, `retry-after` (seconds or a date), else
 * the latest reset of the exhausted rate limits (OpenAI writes `6m0s`). `undefined` if it does not.
 */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  if (headers === undefined) return undefined;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  return (
    milliseconds(named.get('retry-after-ms')) ??
    secondsOrDate(named.get('retry-after'), now) ??
    latest(['requests', 'tokens'].map((kind) => usedUp(named, kind)))
  );
}

const HINT = /\b(?:try again|retry) (?:in|after) (\d[\w. ]{0,40})/i;

/** Returns the wait that a message requests, in milliseconds: OpenAI sends `Please try again in 1.5s` only there. */
export function retryAfterIn(message: string): number | undefined {
  return readSteps(HINT.exec(message)?.[1] ?? '').ms;
}

const STEP = /^(\d+(?:\.\d+)?) ?(ms|milliseconds?|s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)(?![a-z]) ?/i;

/** Reads the duration at the beginning of a text, such as `6m0s`, and returns the rest. */
function readSteps(text: string): { readonly ms: number | undefined; readonly rest: string } {
  let rest = text;
  let ms: number | undefined;
  for (let step = STEP.exec(rest); step !== null; step = STEP.exec(rest)) {
    ms = (ms ?? 0) + Number(step[1]) * unitMs(step[2] ?? '');
    rest = rest.slice(step[0].length);
  }
  return { ms, rest };
}

/** Written out, a unit is known by its first letter, except for milliseconds. */
function unitMs(unit: string): number {
  const name = unit.toLowerCase();
  return UNIT_MS[name.startsWith('ms') || name.startsWith('milli') ? 'ms' : name.charAt(0)] ?? 0;
}

/** `Wed, 21 Oct 2026 07:28:00 GMT`, or a date as in JSON. */
const DATE = /^(?:[a-z]{3,9},? |\d{4}-\d\d-\d\dT)/i;

function milliseconds(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

function secondsOrDate(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value === '') return undefined;
  const seconds = milliseconds(value);
  if (seconds !== undefined) return seconds * 1_000;
  // `Date.parse` finds a year in any text: `-5` is May 2001.
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `1s`, `6m0s`, `350ms`; a bare number is seconds. */
function usedUp(headers: ReadonlyMap<string, string>, kind: string): number | undefined {
  const value = headers.get(`x-ratelimit-reset-${kind}`);
  if (value === undefined || headers.get(`x-ratelimit-remaining-${kind}`) !== '0') return undefined;
  const seconds = milliseconds(value);
  if (seconds !== undefined) return seconds * 1_000;
  const { ms, rest } = readSteps(value);
  return rest === '' ? ms : undefined;
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

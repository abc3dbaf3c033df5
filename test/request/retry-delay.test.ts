import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/errors/for-users.js';
import { retryDelay } from '../../src/request/retry-delay.js';
import { defined } from '../../src/util/defined.js';

const settings = { maxRetries: 3, initialDelayMs: 1_000, maxDelayMs: 3_000 };
const error = (headers: Record<string, string> = {}) =>
  new ApiError({ message: '', url: '', isRetryable: true, responseHeaders: headers });
const delayOf = (retry: number, random: number, headers?: Record<string, string>) =>
  retryDelay(retry, error(headers), settings, { now: 0, random: () => random });

describe('the pause before a retry', () => {
  it('is anything up to a limit that doubles, and never more than the longest', () => {
    expect([1, 2, 3].map((retry) => delayOf(retry, 0.999_999))).toEqual([999, 1_999, 2_999]);
    expect([1, 2, 3].map((retry) => delayOf(retry, 0))).toEqual([0, 0, 0]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (retry, random) => {
        const limit = Math.min(1_000 * 2 ** (retry - 1), 3_000);
        expect(delayOf(retry, random)).toBeGreaterThanOrEqual(0);
        expect(delayOf(retry, random)).toBeLessThan(limit);
      }),
    );
  });

  it('is what the server asks for', () => {
    expect(delayOf(1, 0, { 'retry-after': '2' })).toBe(2_000);
  });

  it.each(['0', '-5', 'Wed, 31 Dec 1969 23:00:00 GMT'])(
    'is its own where the server says at once: %s',
    (retryAfter) => {
      expect(delayOf(1, 0.5, { 'retry-after': retryAfter })).toBe(500);
    },
  );

  it('is not waited for when the server asks for more than the longest', () => {
    expect(delayOf(1, 0, { 'retry-after': '4' })).toBeUndefined();
  });

  it.each<[string, number, string, string | undefined, number | undefined]>([
    ['the message of a 429', 429, 'Please try again in 1.5s.', undefined, 1_500],
    ['the body of a 429', 429, 'Slow down.', '{"error":{"message":"Retry after 2 seconds."}}', 2_000],
    ['a message that asks for too long', 429, 'Please try again in 20s.', undefined, undefined],
    ['another error, whose words count for nothing', 503, 'Please try again in 1.5s.', undefined, 0],
  ])('is what %s asks for', (_name, statusCode, message, responseBody, expected) => {
    const failure = new ApiError({ message, url: '', isRetryable: true, statusCode, ...defined({ responseBody }) });
    expect(retryDelay(1, failure, settings, { now: 0, random: () => 0 })).toBe(expected);
  });

  it('is what a header asks for, whatever the message says', () => {
    const failure = new ApiError({
      message: 'Please try again in 2s.',
      url: '',
      isRetryable: true,
      statusCode: 429,
      responseHeaders: { 'retry-after': '1' },
    });
    expect(retryDelay(1, failure, settings, { now: 0, random: () => 0 })).toBe(1_000);
  });

  it('ends after the last retry', () => {
    expect(delayOf(4, 0)).toBeUndefined();
  });
});

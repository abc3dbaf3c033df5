import { describe, expect, it } from 'vitest';
import { retryAfterIn, retryAfterMs } from '../../src/request/retry-delay.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('how long a server asks to be left alone', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
    ['seconds', { 'Retry-After': '20' }, 20_000],
    ['fractions of a second', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    ['a date that is over', { 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    ['milliseconds before seconds', { 'retry-after-ms': '10', 'retry-after': '20' }, 10],
    [
      'the reset of the limit that is used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1m30s',
        'x-ratelimit-remaining-tokens': '9',
        'x-ratelimit-reset-tokens': '6h',
      },
      90_000,
    ],
    [
      'the later of two',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '350ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6.5s',
      },
      6_500,
    ],
    ['a bare number of seconds', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '12' }, 12_000],
    ['nothing', {}, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined],
    ['a year', { 'retry-after': '2030x' }, undefined],
    ['a date as JSON has it', { 'retry-after': '2026-01-01T00:00:30Z' }, 30_000],
    ['nonsense', { 'retry-after': 'soon', 'retry-after-ms': 'x' }, undefined],
    ['an empty header', { 'retry-after': '' }, undefined],
    [
      'limits that are not used up',
      { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '1s' },
      undefined,
    ],
  ])('%s', (_name, headers, expected) => {
    expect(retryAfterMs(headers, NOW)).toBe(expected);
  });
});

describe('how long a message asks to be left alone', () => {
  it.each<[string, number | undefined]>([
    ['Rate limit reached for gpt-5 in organization org-1. Please try again in 20s. Visit https://…', 20_000],
    ['Please try again in 1.5s.', 1_500],
    ['try again in 350ms', 350],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h2m3.5s', 3_723_500],
    ['Please retry after 20 seconds.', 20_000],
    ['Try again in 1 minute', 60_000],
    ['Retry in 2 days', 172_800_000],
    ['Please try again later.', undefined],
    ['Please try again in a minute.', undefined],
    ['Please try again in 5 steps.', undefined],
    ['try again in 20', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(retryAfterIn(text)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { ago, shortUsageText, usageText } from '../../page/lib/format.js';
import { NO_USAGE } from '../../src/types.js';

describe('what a turn has used', () => {
  it('is said in words', () => {
    const usage = { input: 1200, output: 30, cached: 1000, reasoning: 10, rounds: 2 };
    expect(usageText(usage)).toBe('1,200 tokens in (1,000 cached) · 30 out, 10 of them thinking · 2 rounds');
  });

  it('is nothing where nothing was counted, as in a turn that failed: it may have cost something', () => {
    expect(usageText(NO_USAGE)).toBeUndefined();
    expect(usageText({ ...NO_USAGE, rounds: 1 })).toBeUndefined();
  });
});

it('the tokens of a chat fit where there is little room', () => {
  const usage = { cached: 0, reasoning: 0, rounds: 3 };
  expect(shortUsageText({ ...usage, input: 12_000, output: 345 })).toBe('12K tokens');
  expect(shortUsageText({ ...usage, input: 90, output: 9 })).toBe('99 tokens');
});

it.each([
  [5, 'now'],
  [61, '1 min ago'],
  [7200, '2 h ago'],
  [86_400 * 3, '3 d ago'],
])('a chat that changed %i seconds ago has the time "%s"', (seconds, text) => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  expect(ago(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

import { describe, expect, it } from 'vitest';
import { usageText } from '../../page/lib/format.js';
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

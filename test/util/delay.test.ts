import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delay } from '../../src/util/timers.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('waiting', () => {
  it.each([0, -1, Number.NaN])('%d milliseconds are over at once', async (ms) => {
    const over = delay(ms, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(1);
    await expect(over).resolves.toBeUndefined();
  });

  it.each([2_147_483_648, Number.POSITIVE_INFINITY])(
    '%d milliseconds, more than a timer takes, do not pass at once',
    async (ms) => {
      const controller = new AbortController();
      const ended = vi.fn<(how: string) => void>();
      void delay(ms, controller.signal).then(
        () => ended('over'),
        () => ended('aborted'),
      );
      await vi.advanceTimersByTimeAsync(60_000);
      expect(ended).not.toHaveBeenCalled();
      controller.abort();
      await vi.advanceTimersByTimeAsync(0);
      expect(ended).toHaveBeenCalledWith('aborted');
    },
  );

  it('an abort ends it, with its reason, and leaves no timer behind', async () => {
    const controller = new AbortController();
    const over = delay(1_000, controller.signal);
    expect(vi.getTimerCount()).toBe(1);
    controller.abort(new Error('enough'));
    await expect(over).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});

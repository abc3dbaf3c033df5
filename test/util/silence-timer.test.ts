import { afterEach, describe, expect, it, vi } from 'vitest';
import { SilenceTimer } from '../../src/util/timers.js';

describe('a timer for waits that come one after the other', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells when a wait has lasted as long as it may, and not when it was over before', () => {
    vi.useFakeTimers();
    const timer = new SilenceTimer();
    const silent = vi.fn();
    timer.begin(100, silent);
    vi.advanceTimersByTime(60);
    timer.end();
    timer.begin(100, silent);
    vi.advanceTimersByTime(99);
    expect(silent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(silent).toHaveBeenCalledOnce();
  });

  it('a shorter wait behind a longer one ends in its own time', () => {
    vi.useFakeTimers();
    const timer = new SilenceTimer();
    timer.begin(10_000, () => {});
    timer.end();
    const silent = vi.fn();
    timer.begin(50, silent);
    vi.advanceTimersByTime(50);
    expect(silent).toHaveBeenCalledOnce();
  });

  it('a longer wait behind a shorter one has its whole time', () => {
    vi.useFakeTimers();
    const timer = new SilenceTimer();
    timer.begin(50, () => {});
    timer.end();
    const silent = vi.fn();
    timer.begin(500, silent);
    vi.advanceTimersByTime(499);
    expect(silent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(silent).toHaveBeenCalledOnce();
  });

  it('believes its timer where a test has turned the timers forward and not the clock', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = vi.fn();
    new SilenceTimer().begin(1_000, silent);
    vi.advanceTimersByTime(1_000);
    expect(silent).toHaveBeenCalledOnce();
  });

  it('tells nothing once it was stopped, and leaves no timer', () => {
    vi.useFakeTimers();
    const timer = new SilenceTimer();
    timer.begin(10, () => {
      throw new Error('It was stopped.');
    });
    timer.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

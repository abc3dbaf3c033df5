import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Clock } from '../../src/agents/clock.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('a wait that outlives the agent starts no clock again', async () => {
  const clock = new Clock(1000);
  clock.start();
  let answer = (): void => {};
  const wait = clock.hold(new Promise<void>((resolve) => (answer = resolve)));
  clock.stop();
  answer();
  await wait;
  expect(vi.getTimerCount()).toBe(0);
});

it('of several waits at once the last one starts the clock', async () => {
  const clock = new Clock(1000);
  clock.start();
  const answers: (() => void)[] = [];
  const waits = [0, 1].map(() => clock.hold(new Promise<void>((resolve) => answers.push(resolve))));
  await vi.advanceTimersByTimeAsync(5000);
  answers[0]?.();
  await waits[0];
  await vi.advanceTimersByTimeAsync(5000);
  expect(clock.signal.aborted).toBe(false);
  answers[1]?.();
  await waits[1];
  await vi.advanceTimersByTimeAsync(1000);
  expect(clock.signal.aborted).toBe(true);
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunView } from '../../src/loop/run-view.js';
import type { CallScope } from '../../src/tools/call/call-scope.js';
import { mapReturnValue } from '../../src/tools/local/map-return-value.js';
import { knowing } from '../observe/support/knowing.js';

const yielded = (value: unknown) => ({ progress: 1, output: () => mapReturnValue(value) });
const KEY = 'sk-duck-0123456789abcdef';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A view whose reader takes it at once, if it reads. */
function watch(rest: Partial<CallScope> = {}, reads = true) {
  const shown: unknown[] = [];
  let announced = 0;
  const scope: CallScope = { callNumber: 1, limits: {}, now: Date.now, ...rest };
  const take = async (): Promise<void> => {
    const output = await view.take();
    shown.push(output === undefined ? undefined : (output.value ?? output.content));
  };
  const view = new RunView(scope, () => {
    announced += 1;
    if (reads) void take();
  });
  return { view, shown, take, announced: () => announced };
}

describe('a view of a run', () => {
  it('is the first step at once, and then the latest of each pause', async () => {
    const { view, shown } = watch();
    for (let progress = 1; progress <= 100; progress += 1) {
      view.note({ progress, total: 100 });
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown.map((value) => (value as { progress: number }).progress)).toEqual([1, 20, 40, 60, 80, 100]);
  });

  it('waits for the reader, who then gets the latest alone', async () => {
    const { view, shown, take, announced } = watch({}, false);
    for (let progress = 1; progress <= 1_000; progress += 1) {
      view.note({ progress });
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(announced()).toBe(1);
    await take();
    expect(shown).toEqual([{ progress: 1_000 }]);
  });

  it('comes more rarely the longer the run is: an hour of steps is a few hundred', async () => {
    const { view, announced } = watch();
    for (let second = 0; second < 3_600; second += 1) {
      view.note({ progress: second });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(announced()).toBeLessThan(450);
    expect(announced()).toBeGreaterThan(200);
  });

  it('is nothing once the run is over, and leaves no timer', async () => {
    const { view, shown, take, announced } = watch();
    view.note({ progress: 1 });
    view.note({ progress: 2 });
    view.end();
    view.note({ progress: 3 });
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(announced()).toBe(1);
    await take();
    expect(shown.at(-1)).toBeUndefined();
  });

  it('goes on where the clock is set back', async () => {
    let now = 1_000_000;
    const { view, announced } = watch({ now: () => now });
    view.note({ progress: 1 });
    await vi.advanceTimersByTimeAsync(0);
    now = 0;
    view.note({ progress: 2 });
    await vi.advanceTimersByTimeAsync(200);
    expect(announced()).toBe(2);
  });
});

describe('what a view shows', () => {
  const shownOf = async (step: Parameters<RunView['note']>[0], rest: Partial<CallScope> = {}) => {
    const { view, shown } = watch(rest);
    view.note(step);
    await vi.advanceTimersByTimeAsync(0);
    return shown[0];
  };

  it.each<[string, Parameters<RunView['note']>[0], unknown]>([
    ['numbers', { progress: 1 }, { progress: 1 }],
    ['all of them', { progress: 1, total: 3, message: 'Swimming' }, { progress: 1, total: 3, message: 'Swimming' }],
    ['a yielded value', yielded({ at: 'the pond' }), { at: 'the pond' }],
    ['a yielded text', yielded('half'), [{ type: 'text', text: 'half' }]],
    ['nothing of a yielded error', yielded(new Error('a fox')), undefined],
    ['nothing of a yielded result that is an error', yielded({ isError: true }), undefined],
  ])('is %s', async (_name, step, expected) => {
    expect(await shownOf(step)).toEqual(expected);
  });

  it('has no secret that a server repeats, and no more characters than an output', async () => {
    const said = await shownOf({ progress: 1, message: `with ${KEY}` }, { redactor: knowing(KEY) });
    expect(said).toEqual({ progress: 1, message: 'with [redacted]' });
    const long = await shownOf(yielded('x'.repeat(50)), { limits: { maxToolOutputChars: 10 } });
    expect(JSON.stringify(long)).toContain('output cut');
  });
});

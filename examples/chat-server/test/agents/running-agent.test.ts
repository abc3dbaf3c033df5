import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentRegistry } from '../../src/agents/registry.js';

const LIMITS = { atOnce: 4, depth: 2, steps: 20, ms: 1000 };
const forever = new AbortController().signal;

/** Work that ends when it is told to. */
function job() {
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish };
}

function begin(registry: AgentRegistry, agentId: string, work: () => Promise<unknown>, more = {}) {
  return registry.run({ sessionId: 'chat_1', agentId, parentId: undefined, stop: forever, ...more }, work);
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('sub-agents of a chat', () => {
  it('work four at a time; the fifth waits in line, and so do those of one chat only', async () => {
    const registry = new AgentRegistry(LIMITS);
    const jobs = Array.from({ length: 6 }, job);
    const started: number[] = [];
    const runs = jobs.map(({ done }, n) =>
      begin(registry, `a${n}`, () => {
        started.push(n);
        return done;
      }),
    );
    const other = begin(registry, 'b', async () => 'other chat', { sessionId: 'chat_2' });
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual([0, 1, 2, 3]);
    await expect(other).resolves.toBe('other chat');
    jobs[1]?.finish();
    await runs[1];
    await vi.advanceTimersByTimeAsync(0);
    expect(started).toEqual([0, 1, 2, 3, 4]);
    for (const { finish } of jobs) finish();
    await Promise.all(runs);
    expect(registry.isRunning('chat_1', 'a0')).toBe(false);
  });

  it('do not wait for each other for ever when all of them have sub-agents', async () => {
    const registry = new AgentRegistry(LIMITS);
    const parents = Array.from({ length: 8 }, (_, n) =>
      begin(registry, `p${n}`, async () => {
        const children = [0, 1].map((m) => begin(registry, `c${n}${m}`, async () => m, { parentId: `p${n}` }));
        return Promise.all(children);
      }),
    );
    await vi.advanceTimersByTimeAsync(0);
    await expect(Promise.all(parents)).resolves.toHaveLength(8);
  });

  it('are never more than four at work, with sub-agents of their own too', async () => {
    const registry = new AgentRegistry(LIMITS);
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      working += 1;
      most = Math.max(most, working);
      await new Promise((resolve) => setTimeout(resolve, 10));
      working -= 1;
    };
    const parents = Array.from({ length: 5 }, (_, n) =>
      begin(registry, `p${n}`, async () => {
        await work();
        await Promise.all([0, 1, 2].map((m) => begin(registry, `c${n}${m}`, work, { parentId: `p${n}` })));
        await work();
      }),
    );
    await vi.advanceTimersByTimeAsync(900);
    await Promise.all(parents);
    expect(most).toBe(4);
  });

  it('that wait in line end with their parent', async () => {
    const registry = new AgentRegistry({ ...LIMITS, atOnce: 1 });
    const first = job();
    const stop = new AbortController();
    const running = begin(registry, 'a', () => first.done);
    const waiting = begin(registry, 'b', async () => 'ran', { stop: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    first.finish();
    await running;
    await expect(begin(registry, 'c', async () => 'free')).resolves.toBe('free');
  });
});

describe('the time of a sub-agent', () => {
  it('is over after its limit', async () => {
    const registry = new AgentRegistry(LIMITS);
    const running = begin(registry, 'a', () => new Promise(() => {}));
    void running;
    const agent = registry.find('chat_1', 'a');
    await vi.advanceTimersByTimeAsync(999);
    expect(agent?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([agent?.signal.aborted, agent?.isOutOfTime]).toEqual([true, true]);
  });

  it('does not run while a person thinks, nor that of its parent', async () => {
    const registry = new AgentRegistry(LIMITS);
    const [thinking, end] = [job(), job()];
    const running = begin(registry, 'p', () => begin(registry, 'c', () => end.done, { parentId: 'p' }));
    await vi.advanceTimersByTimeAsync(500);
    const [parent, child] = [registry.find('chat_1', 'p'), registry.find('chat_1', 'c')];
    const wait = child?.hold(thinking.done);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([parent?.signal.aborted, child?.signal.aborted]).toEqual([false, false]);
    thinking.finish();
    await wait;
    await vi.advanceTimersByTimeAsync(499);
    expect(child?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(child?.isOutOfTime).toBe(true);
    end.finish();
    await running;
  });

  it('does not begin before it works', async () => {
    const registry = new AgentRegistry({ ...LIMITS, atOnce: 1 });
    const [first, second] = [job(), job()];
    const one = begin(registry, 'a', () => first.done);
    const two = begin(registry, 'b', () => second.done);
    await vi.advanceTimersByTimeAsync(5000);
    expect(registry.find('chat_1', 'b')?.signal.aborted).toBe(false);
    first.finish();
    second.finish();
    await Promise.all([one, two]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

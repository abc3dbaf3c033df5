import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EARLY_ANSWER_MS, PendingRegistry } from '../../src/approval/pending-registry.js';

const running = new Set<string>();
const isTurnRunning = (id: string): boolean => running.has(id);

function ask(
  registry: PendingRegistry,
  toolCallId = 'call_1',
  sessionId = 'chat_1',
  signal = new AbortController().signal,
) {
  return registry.ask({ sessionId, toolCallId, signal });
}

beforeEach(() => {
  vi.useFakeTimers();
  running.clear();
  running.add('chat_1');
});
afterEach(() => vi.useRealTimers());

describe('a question of a sub-agent', () => {
  it('is answered once; the second answer comes too late', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const { answer } = ask(registry);
    expect(registry.count('chat_1')).toBe(1);
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('resolved');
    expect(registry.answer('chat_1', 'call_1', { approved: false })).toBe('already_answered');
    await expect(answer).resolves.toEqual({ approved: true });
    expect(registry.count('chat_1')).toBe(0);
  });

  it('counts as rejected when no one answers in time, and no later answer counts', async () => {
    const registry = new PendingRegistry({ isTurnRunning, timeoutMs: 1000 });
    const { answer } = ask(registry);
    await vi.advanceTimersByTimeAsync(999);
    expect(registry.count('chat_1')).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toEqual({ approved: false, reason: 'no one answered in time' });
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('already_answered');
  });

  it('waits for a day at most, however long is set', async () => {
    const registry = new PendingRegistry({ isTurnRunning, timeoutMs: 10 ** 12 });
    const { answer } = ask(registry);
    await vi.advanceTimersByTimeAsync(86_400_000);
    await expect(answer).resolves.toMatchObject({ approved: false });
  });

  it('is rejected when its turn is stopped, also one that was stopped before', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const stop = new AbortController();
    const { answer } = ask(registry, 'call_1', 'chat_1', stop.signal);
    stop.abort();
    await expect(answer).resolves.toMatchObject({ approved: false });
    await expect(ask(registry, 'call_2', 'chat_1', stop.signal).answer).resolves.toMatchObject({ approved: false });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gets an id of its own where another call with the same id waits', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const [first, second] = [ask(registry), ask(registry)];
    expect([first.id, second.id]).toEqual(['call_1', 'call_1-2']);
    registry.answer('chat_1', second.id, { approved: true });
    registry.answer('chat_1', first.id, { approved: false });
    await expect(first.answer).resolves.toEqual({ approved: false });
    await expect(second.answer).resolves.toEqual({ approved: true });
  });

  it.each(['answered', 'stopped'])('is not what a late answer to one with the same id, %s before, is for', (how) => {
    const registry = new PendingRegistry({ isTurnRunning });
    const stop = new AbortController();
    const shown = ask(registry, 'call_1', 'chat_1', stop.signal);
    if (how === 'answered') registry.answer('chat_1', shown.id, { approved: true });
    else stop.abort();
    const other = ask(registry);
    expect(registry.answer('chat_1', shown.id, { approved: true })).toBe('already_answered');
    expect(registry.count('chat_1')).toBe(1);
    expect(registry.answer('chat_1', other.id, { approved: true })).toBe('resolved');
  });

  it('that was stopped leaves no answer behind for the next one with its id', () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const stop = new AbortController();
    const shown = ask(registry, 'call_1', 'chat_1', stop.signal);
    stop.abort();
    expect(registry.answer('chat_1', shown.id, { approved: true })).toBe('already_answered');
    ask(registry);
    expect(registry.count('chat_1')).toBe(1);
  });

  it('takes no answer that was given to a call of another chat', () => {
    running.add('chat_2');
    const registry = new PendingRegistry({ isTurnRunning });
    ask(registry);
    expect(registry.answer('chat_2', 'call_1', { approved: true })).toBe('early');
    expect(registry.count('chat_1')).toBe(1);
  });
});

describe('an answer that is early', () => {
  it('is used when the question comes, once', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('early');
    expect(registry.answer('chat_1', 'call_1', { approved: false })).toBe('already_answered');
    await expect(ask(registry).answer).resolves.toEqual({ approved: true });
    ask(registry);
    expect(registry.count('chat_1')).toBe(1);
  });

  it('is forgotten after 30 seconds', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    registry.answer('chat_1', 'call_1', { approved: true });
    await vi.advanceTimersByTimeAsync(EARLY_ANSWER_MS);
    ask(registry);
    expect(registry.count('chat_1')).toBe(1);
  });

  it('is forgotten when its turn ends: the next one may use the same id for something else', () => {
    const registry = new PendingRegistry({ isTurnRunning });
    registry.answer('chat_1', 'call_1', { approved: true });
    registry.endTurn('chat_1');
    ask(registry);
    expect(registry.count('chat_1')).toBe(1);
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('resolved');
  });

  it('is unknown where no turn runs that could ask', () => {
    const registry = new PendingRegistry({ isTurnRunning });
    expect(registry.answer('chat_9', 'call_1', { approved: true })).toBe('unknown');
  });

  it('is kept for a thousand calls and no more', () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const outcomes = Array.from({ length: 1001 }, (_, n) => registry.answer('chat_1', `call_${n}`, { approved: true }));
    expect(outcomes.filter((outcome) => outcome === 'early')).toHaveLength(1000);
    expect(outcomes.at(-1)).toBe('unknown');
    registry.endTurn('chat_1');
  });
});

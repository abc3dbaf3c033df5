import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EARLY_ANSWER_MS, PendingRegistry, UNKEPT_QUESTION_MS } from '../../src/approval/pending-registry.js';

const running = new Set<string>();
const isTurnRunning = (id: string): boolean => running.has(id);

function ask(
  registry: PendingRegistry,
  toolCallId = 'call_1',
  sessionId = 'chat_1',
  signal = new AbortController().signal,
) {
  return registry.ask({ sessionId, toolCallId, signal, isKept: true });
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
    const answer = ask(registry);
    expect(registry.count('chat_1')).toBe(1);
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('resolved');
    expect(registry.answer('chat_1', 'call_1', { approved: false })).toBe('already_answered');
    await expect(answer).resolves.toEqual({ approved: true });
    expect(registry.count('chat_1')).toBe(0);
  });

  it('counts as rejected when no one answers in time, and no later answer counts', async () => {
    const registry = new PendingRegistry({ isTurnRunning, timeoutMs: 1000 });
    const answer = ask(registry);
    await vi.advanceTimersByTimeAsync(999);
    expect(registry.count('chat_1')).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toEqual({ approved: false, reason: 'no one answered in time' });
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('already_answered');
  });

  it('waits for a day at most, however long is set', async () => {
    const registry = new PendingRegistry({ isTurnRunning, timeoutMs: 10 ** 12 });
    const answer = ask(registry);
    await vi.advanceTimersByTimeAsync(86_400_000);
    await expect(answer).resolves.toMatchObject({ approved: false });
  });

  it('is rejected when its turn is stopped, also one that was stopped before', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const stop = new AbortController();
    const answer = ask(registry, 'call_1', 'chat_1', stop.signal);
    stop.abort();
    await expect(answer).resolves.toMatchObject({ approved: false });
    await expect(ask(registry, 'call_2', 'chat_1', stop.signal)).resolves.toMatchObject({ approved: false });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits as long as its turn runs, if no time limit is set', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const answer = ask(registry);
    await vi.advanceTimersByTimeAsync(7 * 86_400_000);
    registry.answer('chat_1', 'call_1', { approved: true });
    await expect(answer).resolves.toEqual({ approved: true });
  });

  it('that ended with its turn was not answered, and can be asked again', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const stop = new AbortController();
    void ask(registry, 'call_1', 'chat_1', stop.signal);
    stop.abort();
    const again = ask(registry);
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('resolved');
    await expect(again).resolves.toEqual({ approved: true });
  });

  it('takes no answer that was given to a call of another chat', () => {
    running.add('chat_2');
    const registry = new PendingRegistry({ isTurnRunning });
    void ask(registry);
    expect(registry.answer('chat_2', 'call_1', { approved: true })).toBe('early');
    expect(registry.count('chat_1')).toBe(1);
  });
});

describe('a question of an app', () => {
  const askForApp = (registry: PendingRegistry, signal = new AbortController().signal) =>
    registry.ask({ sessionId: 'chat_1', toolCallId: 'app_1', signal, isKept: false });

  it('counts as rejected after 5 minutes, if no time limit is set', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const answer = askForApp(registry);
    await vi.advanceTimersByTimeAsync(UNKEPT_QUESTION_MS - 1);
    expect(registry.count('chat_1')).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toMatchObject({ approved: false });
    expect(registry.answer('chat_1', 'app_1', { approved: true })).toBe('already_answered');
  });

  it('ends when its chat leaves this server; those of other chats wait on', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const answer = askForApp(registry);
    void ask(registry, 'call_1', 'chat_10');
    registry.endChat('chat_1');
    await expect(answer).resolves.toMatchObject({ approved: false });
    expect([registry.count('chat_1'), registry.count('chat_10')]).toEqual([0, 1]);
  });

  it('ends with its frame, and no later answer counts', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    const frame = new AbortController();
    const answer = askForApp(registry, frame.signal);
    frame.abort();
    await expect(answer).resolves.toMatchObject({ approved: false });
    expect(registry.answer('chat_1', 'app_1', { approved: true })).toBe('already_answered');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an answer that is early', () => {
  it('is used when the question comes, once', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    expect(registry.answer('chat_1', 'call_1', { approved: true })).toBe('early');
    expect(registry.answer('chat_1', 'call_1', { approved: false })).toBe('already_answered');
    await expect(ask(registry)).resolves.toEqual({ approved: true });
    void ask(registry);
    expect(registry.count('chat_1')).toBe(1);
  });

  it('is forgotten after 30 seconds', async () => {
    const registry = new PendingRegistry({ isTurnRunning });
    registry.answer('chat_1', 'call_1', { approved: true });
    await vi.advanceTimersByTimeAsync(EARLY_ANSWER_MS);
    void ask(registry);
    expect(registry.count('chat_1')).toBe(1);
  });

  it('is forgotten when its turn ends: the next one may use the same id for something else', () => {
    const registry = new PendingRegistry({ isTurnRunning });
    registry.answer('chat_1', 'call_1', { approved: true });
    registry.endTurn('chat_1');
    void ask(registry);
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

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunningTurn } from '../../src/chat/running-turn.js';
import { RunningTurns } from '../../src/chat/running-turns.js';
import { NO_USAGE } from '../../src/types.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const all = async (batches: AsyncIterable<readonly string[]>): Promise<string[]> => {
  const found: string[] = [];
  for await (const batch of batches) found.push(...batch);
  return found;
};

describe('a running turn', () => {
  it('is heard from its first chunk, whenever one begins to listen, and ends for all', async () => {
    const turn = new RunningTurns(0).begin('s');
    const early = all(turn.listen());
    turn.push({ type: 'start' });
    const late = all(turn.listen());
    turn.push({ type: 'finish' });
    turn.end();
    turn.push({ type: 'abort' });
    const expected = ['{"type":"start"}', '{"type":"finish"}'];
    expect([await early, await late, await all(turn.listen())]).toEqual([expected, expected, expected]);
    expect(turn.listeners).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is aborted when nobody has listened for the grace, and not if somebody comes back', () => {
    const turn = new RunningTurns(1_000).begin('s');
    turn.expectListeners();
    vi.advanceTimersByTime(999);
    const listener = turn.listen();
    vi.advanceTimersByTime(5_000);
    expect(turn.signal.aborted).toBe(false);
    void listener.return?.();
    void listener.return?.();
    expect(turn.listeners).toBe(0);
    vi.advanceTimersByTime(999);
    const back = turn.listen();
    void back.return?.();
    vi.advanceTimersByTime(1_000);
    expect(turn.signal.aborted).toBe(true);
    turn.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that says more than is kept is aborted with an error; whoever listens hears what was kept, that, and the end', async () => {
    const turn = new RunningTurn({ sessionId: 's', graceMs: 0, maxChars: 200 });
    const early = all(turn.listen());
    const delta = { type: 'text-delta', id: 'a', delta: 'x'.repeat(30) } as const;
    for (let n = 0; n < 1_000; n += 1) turn.push(delta);
    expect(turn.signal.reason).toMatchObject({ name: 'AbortError', message: 'its output was too long' });
    expect(turn.failure?.code).toBe('turn_too_long');
    turn.push({ type: 'abort' });
    turn.end();
    const heard = await early;
    const text = JSON.stringify(delta);
    expect(heard).toEqual([text, text, expect.stringContaining('"code":"turn_too_long"'), '{"type":"abort"}']);
    expect(await all(turn.listen())).toEqual(heard);
  });

  it('lets go of a listener that waits for a chunk', async () => {
    const turn = new RunningTurns(0).begin('s');
    const listener = turn.listen();
    const next = listener.next();
    await listener.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    turn.end();
  });

  it('is the only one of its session until it ends, however it ends', () => {
    const turns = new RunningTurns(0);
    const turn = turns.begin('s');
    expect(() => turns.begin('s')).toThrow(/still working/);
    turns.begin('other').end();
    turn.end();
    turn.end();
    expect(turns.size).toBe(0);
    expect(turns.begin('s')).not.toBe(turn);
  });

  it('is over for whoever keeps something by session, once and however it ends, before the next one begins', () => {
    const ended: string[] = [];
    const turns = new RunningTurns(0, ({ sessionId }) => ended.push(`${sessionId} of ${turns.size}`));
    const turn = turns.begin('s');
    turns.begin('t');
    turn.abort('stopped');
    expect(ended).toEqual([]);
    turn.end();
    turn.end();
    expect(ended).toEqual(['s of 1']);
  });

  it.each(['error', 'abort', 'finish'] as const)(
    'is over before anybody hears its %s chunk, so that the next message can be sent at once',
    async (type) => {
      const turns = new RunningTurns(0);
      const turn = turns.begin('s');
      const listener = turn.listen();
      turn.push({ type: 'start' });
      expect(await listener.next()).toMatchObject({ value: ['{"type":"start"}'] });
      const question = listener.next();
      turn.push({ type, errorText: 'It failed.' });
      turn.push({ type: 'data-usage', data: NO_USAGE, transient: true });
      // What a sub-agent asks behind an error is heard while its answer is waited for.
      expect(await question).toMatchObject({ value: [expect.stringContaining('data-usage')] });
      const ending = listener
        .next()
        .then(({ value }) => ({ value: value as unknown, isFree: turns.get('s') === undefined }));
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
      turn.end();
      expect(await ending).toMatchObject({ isFree: true, value: [expect.stringContaining(type)] });
    },
  );

  it('is aborted and waited for when the server ends, which takes no more', async () => {
    const turns = new RunningTurns(60_000);
    const turn = turns.begin('s');
    const closed = turns.close();
    expect(turn.signal.aborted).toBe(true);
    expect(() => turns.begin('t')).toThrow(/shutting down/);
    turn.end();
    await closed;
  });
});

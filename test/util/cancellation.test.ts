import { describe, expect, it } from 'vitest';
import { abortError, Cancellation, followAbort, onceAborted, raceAbort } from '../../src/util/abort.js';

describe('a cancellation', () => {
  it('ends what follows it, with its reason, once', () => {
    const cancellation = new Cancellation();
    const { controller } = followAbort(cancellation);
    const reason = new Error('closed');
    cancellation.cancel(reason);
    cancellation.cancel(new Error('again'));
    expect(controller.signal.aborted).toBe(true);
    expect(abortError(controller.signal)).toBe(reason);
    expect(abortError(cancellation)).toBe(reason);
  });

  it('ends what follows it later at once', () => {
    const cancellation = new Cancellation();
    cancellation.cancel(new Error('closed'));
    expect(followAbort(cancellation).controller.signal.aborted).toBe(true);
  });

  it('leaves alone what was released', () => {
    const cancellation = new Cancellation();
    const { controller, release } = followAbort(cancellation);
    release();
    cancellation.cancel(new Error('closed'));
    expect(controller.signal.aborted).toBe(false);
  });

  it('tells nobody who has stopped listening, not even a moment before', () => {
    const cancellation = new Cancellation();
    const heard: string[] = [];
    const second = (): void => void heard.push('second');
    cancellation.addEventListener('abort', () => {
      heard.push('first');
      cancellation.removeEventListener('abort', second);
    });
    cancellation.addEventListener('abort', second);
    cancellation.cancel();
    expect(heard).toEqual(['first']);
  });

  it('rejects whoever waits for something, and leaves no listener with those who got it', async () => {
    const cancellation = new Cancellation();
    expect(await raceAbort(Promise.resolve('there'), cancellation)).toBe('there');
    const waiting = raceAbort(new Promise(() => {}), cancellation);
    const reason = new Error('enough');
    cancellation.cancel(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(raceAbort(new Promise(() => {}), cancellation)).rejects.toBe(reason);
  });

  it('one who fails keeps nobody else from hearing of it, nor whoever cancels from going on', () => {
    const cancellation = new Cancellation();
    const signal = new AbortController();
    const heard: string[] = [];
    const fail = (): never => {
      throw new Error('odd body');
    };
    for (const parent of [cancellation, signal.signal]) {
      onceAborted(parent, fail);
      onceAborted(parent, () => heard.push('told'));
    }
    cancellation.cancel();
    signal.abort();
    expect(heard).toEqual(['told', 'told']);
  });
});

import { describe, expect, it } from 'vitest';
import { type Emit, Pump, type PartSink } from '../../src/loop/pump.js';

async function count(emit: Emit<number>): Promise<void> {
  for (let n = 1; n <= 4; n += 1) await emit(n);
}

/** One batch, or `undefined` when there are no more. */
async function next(pump: Pump<number>): Promise<number | undefined> {
  let batch: number | undefined;
  await pump.drainTo({
    take: (given) => {
      batch = given;
      return false;
    },
    end() {},
  });
  return batch;
}

describe('a pump', () => {
  it('hands out batches one at a time, and an end', async () => {
    const pump = new Pump(count, new AbortController().signal);
    const seen = [];
    for (let n = 0; n < 6; n += 1) seen.push(await next(pump));
    expect(seen).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  it('hands out as many as are wanted, one after the other', async () => {
    const pump = new Pump(count, new AbortController().signal);
    const seen: number[] = [];
    let ends = 0;
    const sinkFor = (room: number): PartSink<number> => ({ take: (n) => seen.push(n) < room, end: () => (ends += 1) });
    await pump.drainTo(sinkFor(3));
    expect([seen, ends]).toEqual([[1, 2, 3], 0]);
    await pump.drainTo(sinkFor(9));
    expect([seen, ends]).toEqual([[1, 2, 3, 4], 1]);
    await pump.drainTo(sinkFor(9));
    expect(ends).toBe(2);
  });

  it('nothing is made before it is asked for', async () => {
    let made = 0;
    const pump = new Pump<number>(async (emit) => {
      for (;;) {
        made += 1;
        await emit(made);
      }
    }, new AbortController().signal);
    await new Promise(setImmediate);
    expect(made).toBe(0);
    await next(pump);
    await new Promise(setImmediate);
    expect(made).toBe(1);
  });

  it('what fails in it, and in whoever takes, is thrown there', async () => {
    const failure = new Error('failed');
    const pump = new Pump<number>(() => Promise.reject(failure), new AbortController().signal);
    await expect(next(pump)).rejects.toBe(failure);
    const taken = new Pump(count, new AbortController().signal).drainTo({
      take() {
        throw failure;
      },
      end() {},
    });
    await expect(taken).rejects.toBe(failure);
  });

  it('one reads at a time', async () => {
    const pump = new Pump<number>(() => new Promise(() => {}), new AbortController().signal);
    void next(pump);
    await expect(next(pump)).rejects.toThrow('One read at a time.');
  });

  it('just ends after an abort: no batch comes behind one that was dropped', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const controller = new AbortController();
      const pump = new Pump(count, controller.signal);
      expect(await next(pump)).toBe(1);
      controller.abort();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const rest = [await next(pump), await next(pump), await next(pump), await next(pump)];
      const told = rest.filter((value) => value !== undefined);
      expect(told, `after ${turns} turns`).toEqual([2, 3, 4].slice(0, told.length));
    }
  });

  it('an abort wakes what waits for somebody to ask', async () => {
    const controller = new AbortController();
    let isOver = false;
    const pump = new Pump<number>((emit) => count(emit).finally(() => (isOver = true)), controller.signal);
    await next(pump);
    controller.abort();
    await new Promise(setImmediate);
    expect(isOver).toBe(true);
    expect(await next(pump)).toBeUndefined();
  });
});

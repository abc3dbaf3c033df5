import { describe, expect, it } from 'vitest';
import { createPump } from '../../src/loop/pump.js';

async function* counting(): AsyncGenerator<number, void, undefined> {
  for (let n = 1; n <= 4; n += 1) yield n;
}

describe('I1 I12 a pump', () => {
  it('hands out batches one at a time, and an end', async () => {
    const pump = createPump(counting(), new AbortController().signal);
    const seen = [];
    for (let n = 0; n < 6; n += 1) seen.push(await pump.next());
    expect(seen).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  it('just ends after an abort: no batch comes behind one that was dropped', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      const controller = new AbortController();
      const pump = createPump(counting(), controller.signal);
      expect(await pump.next()).toBe(1);
      controller.abort();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const rest = [await pump.next(), await pump.next(), await pump.next(), await pump.next()];
      const told = rest.filter((value) => value !== undefined);
      expect(told, `after ${turns} turns`).toEqual([2, 3, 4].slice(0, told.length));
    }
  });
});

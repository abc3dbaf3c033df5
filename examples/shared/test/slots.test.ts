import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Slots } from '../slots.js';

test('never more run than there are slots, all that are not aborted run, in their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (count, aborts) => {
        const slots = new Slots(count);
        let [running, most] = [0, 0];
        const started: number[] = [];
        const controllers = aborts.map(() => new AbortController());
        const runs = aborts.map((_, at) =>
          slots.run(controllers[at]?.signal ?? new AbortController().signal, async () => {
            started.push(at);
            most = Math.max(most, (running += 1));
            for (let turn = 0; turn <= at % 4; turn += 1) await Promise.resolve();
            running -= 1;
          }),
        );
        for (const [at, isAborted] of aborts.entries()) if (isAborted && at >= count) controllers[at]?.abort();
        const ended = await Promise.allSettled(runs);
        expect(most).toBeLessThanOrEqual(count);
        expect(started).toEqual(started.toSorted((one, other) => one - other));
        expect(started).toEqual([...ended.keys()].filter((at) => ended[at]?.status === 'fulfilled'));
        expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(
          aborts.filter((isAborted, at) => isAborted && at >= count).length,
        );
      },
    ),
  );
});

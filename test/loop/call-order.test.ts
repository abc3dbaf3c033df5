import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallOrder } from '../../src/loop/own-calls.js';

interface Call {
  readonly overlaps: boolean;
  readonly isAnnounced: boolean;
  /** Calls are completed in the order of this. */
  readonly completedAt: number;
}

const call: fc.Arbitrary<Call> = fc.record({
  overlaps: fc.boolean(),
  isAnnounced: fc.boolean(),
  completedAt: fc.integer(),
});

/** The rule in its plainest form: behind a call begun earlier and still open, or any that is complete, that runs alone. */
function isBehind(at: number, calls: readonly Call[], complete: ReadonlySet<number>): boolean {
  return calls.some(({ overlaps, isAnnounced }, other) => {
    if (overlaps || other === at) return false;
    const isEarlier = calls[at]?.isAnnounced === false || other < at;
    return complete.has(other) || (isAnnounced && isEarlier);
  });
}

it('a call stands behind one that has to run alone, in whatever order they are completed', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
      const order = new CallOrder();
      for (const [at, { overlaps, isAnnounced }] of calls.entries()) if (isAnnounced) order.begin(`c${at}`, overlaps);
      const complete = new Set<number>();
      for (const [at, { overlaps }] of [...calls.entries()].toSorted(([, a], [, b]) => a.completedAt - b.completedAt)) {
        expect(order.complete(`c${at}`, overlaps)).toBe(isBehind(at, calls, complete));
        complete.add(at);
      }
    }),
  );
});

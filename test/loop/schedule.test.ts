import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Schedule } from '../../src/loop/schedule.js';

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

it('a call waits behind one that has to run alone, in whatever order they are completed', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
      const schedule = new Schedule('auto');
      for (const [at, { overlaps, isAnnounced }] of calls.entries())
        if (isAnnounced) schedule.begin({ callId: `c${at}`, overlaps });
      const complete = new Set<number>();
      for (const [at, { overlaps }] of [...calls.entries()].toSorted(([, a], [, b]) => a.completedAt - b.completedAt)) {
        const mayStart = overlaps && !isBehind(at, calls, complete);
        expect(schedule.add({ callId: `c${at}`, overlaps })).toBe(mayStart ? 'start' : 'wait');
        complete.add(at);
      }
    }),
  );
});

/** Calls by name: `r` reads, `w` writes. */
const plan = (callId: string) => ({ callId, overlaps: callId.startsWith('r') });

describe('behind the end of the round', () => {
  it.each<[limit: 'auto' | number, calls: string, steps: Readonly<Record<string, string>>]>([
    ['auto', '', { '': '' }],
    ['auto', 'r1 r2', { '': 'r1 r2', r2: '', r1: '' }],
    ['auto', 'w1 w2', { '': 'w1', w1: 'w2', w2: '' }],
    ['auto', 'r1 r2 w3 r4 r5 w6', { '': 'r1 r2', r2: '', r1: 'w3', w3: 'r4 r5', r4: '', r5: 'w6', w6: '' }],
    ['auto', 'w1 r2 w3', { '': 'w1', w1: 'r2', r2: 'w3', w3: '' }],
    [1, 'r1 r2 w3', { '': 'r1', r1: 'r2', r2: 'w3', w3: '' }],
    [2, 'w1 r2 w3 r4', { '': 'w1 r2', r2: 'w3', w3: 'r4', r4: '', w1: '' }],
    [9, 'w1 r2', { '': 'w1 r2', w1: '', r2: '' }],
  ])('with %s, %s start as those before them end', (limit, calls, steps) => {
    const schedule = new Schedule(limit);
    const names = calls.split(' ').filter(Boolean);
    for (const name of names) schedule.add(plan(name));
    const seen = Object.keys(steps).map((ended) => {
      const next = ended === '' ? schedule.close(names.map(plan)) : schedule.ended(ended);
      return [ended, next.join(' ')] as const;
    });
    expect(Object.fromEntries(seen)).toEqual(steps);
    expect(schedule.isDone).toBe(true);
  });

  it('a write waits for reads that started early', () => {
    const schedule = new Schedule('auto');
    expect([schedule.add(plan('r1')), schedule.add(plan('w2'))]).toEqual(['start', 'wait']);
    schedule.startedEarly('r1');
    expect(schedule.close([plan('w2')])).toEqual([]);
    expect(schedule.isDone).toBe(false);
    expect(schedule.ended('r1')).toEqual(['w2']);
    expect(schedule.ended('w2')).toEqual([]);
    expect(schedule.isDone).toBe(true);
  });

  it('is not reached while the model still streams', () => {
    const schedule = new Schedule('auto');
    schedule.startedEarly('r1');
    expect(schedule.ended('r1')).toEqual([]);
    expect(schedule.isDone).toBe(false);
  });
});

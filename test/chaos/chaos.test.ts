import { describe, expect, it } from 'vitest';
import { divide } from './jobs.js';
import { scenarioOf } from './played.js';
import { describeFailure } from './report.js';
import { runMany } from './run-many.js';

const SEED = 1;
const RUNS = 300;
const WITHIN_MS = 120_000;

describe('chaos', () => {
  it(
    `${RUNS} scenarios of broken streams, killed servers, lying histories and hostile servers break no invariant`,
    async () => {
      const { failures } = await runMany({ seed: SEED, runs: RUNS, maxFailures: 5 });
      expect(failures.map(describeFailure)).toEqual([]);
    },
    WITHIN_MS,
  );

  it('a seed gives the same scenario again, and it is plain data', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const text = JSON.stringify(scenarioOf(seed));
      expect(JSON.stringify(scenarioOf(seed))).toBe(text);
      expect(JSON.stringify(JSON.parse(text))).toBe(text);
    }
  });

  it('all seeds of a campaign are played once, whatever number of processes shares them', () => {
    const job = { seed: 5, runs: 10, width: 1, batch: 1, maxFailures: 1, quiet: true, onlySockets: false };
    const seeds = divide(job, 3).flatMap(({ seed, runs }) => Array.from({ length: runs }, (_, at) => seed + at));
    expect(seeds).toEqual(Array.from({ length: 10 }, (_, at) => 5 + at));
  });
});

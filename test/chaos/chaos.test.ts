import { describe, expect, it } from 'vitest';
import { generateScenario } from './generate.js';
import { describeFailure } from './report.js';
import { runMany } from './run-many.js';

const SEED = 1;
const RUNS = 300;
const WITHIN_MS = 120_000;

describe('chaos', () => {
  it(
    `${RUNS} scenarios of aborts, broken streams, killed servers and odd tools break no invariant`,
    async () => {
      const { failures } = await runMany({ seed: SEED, runs: RUNS, maxFailures: 5 });
      expect(failures.map(describeFailure)).toEqual([]);
    },
    WITHIN_MS,
  );

  it('a seed gives the same scenario again, and it is plain data', () => {
    const scenario = generateScenario(7);
    expect(generateScenario(7)).toEqual(scenario);
    expect(JSON.parse(JSON.stringify(scenario))).toEqual(scenario);
  });
});

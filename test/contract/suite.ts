import { describe, expect, it } from 'vitest';
import { type Found, type Level, LEVELS } from './compare.js';
import { DIFFERENCES } from './differences.js';
import { explains, type Sighting, unseen } from './differences/difference.js';
import { type Trial, trialsOf } from './run.js';
import type { Sides } from './sides.js';

/** Both providers get the same bytes and the same calls: what they do differently has to be on the list, all of it. */
export function describeContract(sides: Sides): void {
  const trials = trialsOf(sides);
  const sightings = DIFFERENCES.flatMap(({ what, seen }) =>
    seen
      .filter(({ of }) => of === undefined || of.includes(sides.major))
      .map((sighting): [string, Sighting] => [what, sighting]),
  );

  describe(`the contract with @ai-sdk/openai ${sides.major}`, () => {
    describe.each(LEVELS)('%s', (level) => {
      it.each(ofLevel(trials, level))('%s: no difference that is not on the list', async (_name, trial) => {
        const surprises = (await trial.run()).filter(
          (found) => !sightings.some(([, sighting]) => explains(sighting, found)),
        );
        expect(surprises.map(inWords)).toEqual([]);
      });
    });

    it('every difference on the list still shows', async () => {
      const all = (await Promise.all(trials.map((trial) => trial.run()))).flat();
      const stale = sightings.flatMap(([what, sighting]) => unseen(sighting, all).map((name) => `${what}: ${name}`));
      expect(stale).toEqual([]);
    });
  });
}

function ofLevel(trials: readonly Trial[], level: Level): [string, Trial][] {
  return trials.filter((trial) => trial.level === level).map((trial) => [trial.scenario, trial]);
}

function inWords({ field, stock, ours }: Found): string {
  return `${field}: stock ${written(stock)}, ours ${written(ours)}`;
}

function written(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

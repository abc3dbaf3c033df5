import { describe, expect, it } from 'vitest';
import { type Found, type Level, LEVELS } from './compare.js';
import { DIFFERENCES } from './differences.js';
import { explains, type Sighting, unseen } from './differences/difference.js';
import { OPEN_DIFFERENCES } from './differences/open.js';
import { type Trial, trialsOf } from './run.js';
import type { Sides } from './sides.js';

/**
 * Both providers get the same bytes and the same calls: what they do differently has to be on one of the lists, all of it.
 * What we are wrong about is on the list of open differences, which `npm run contract:open` prints.
 */
export function describeContract(sides: Sides): void {
  const trials = trialsOf(sides).filter(({ level }) => isNative(sides) || ABOVE_THE_MODEL.includes(level));
  const sightings = [...DIFFERENCES, ...OPEN_DIFFERENCES].flatMap(({ what, seen }) =>
    seen
      .filter(({ of }) => of === undefined || of.includes(sides.major))
      .filter(({ under }) => under === undefined || under.includes(sides.sdk))
      .map((sighting): [string, Sighting] => [what, sighting]),
  );

  describe(`the contract with @ai-sdk/openai ${sides.major} under AI SDK ${sides.sdk}`, () => {
    describe.each(isNative(sides) ? LEVELS : ABOVE_THE_MODEL)('%s', (level) => {
      it.each(ofLevel(trials, level))('%s: no difference that is not on the list', async (_name, trial) => {
        const surprises = (await trial.run()).filter(
          (found) => !sightings.some(([, sighting]) => explains(sighting, found)),
        );
        expect(surprises.map(inWords)).toEqual([]);
      });
    });

    // Under another SDK only those that name it: the others show under the one that the models are made for.
    const looked = isNative(sides) ? sightings : sightings.filter(([, { under }]) => under !== undefined);
    it('every difference on the list still shows', async () => {
      const all = (await Promise.all(trials.map((trial) => trial.run()))).flat();
      const stale = looked.flatMap(([what, sighting]) => unseen(sighting, all).map((name) => `${what}: ${name}`));
      expect(stale).toEqual([]);
    });
  });
}

/** Models and the SDK that is made for them, not one that takes them in a compatibility mode. */
const isNative = ({ major, sdk }: Sides): boolean => sdk === major + 3;

/** What the SDK has a part in. The models themselves are the same under every SDK. */
const ABOVE_THE_MODEL: readonly Level[] = ['streamText', 'generateText', 'streamedTurns', 'generatedTurns', 'history'];

function ofLevel(trials: readonly Trial[], level: Level): [string, Trial][] {
  return trials.filter((trial) => trial.level === level).map((trial) => [trial.scenario, trial]);
}

function inWords({ field, stock, ours }: Found): string {
  return `${field}: stock ${written(stock)}, ours ${written(ours)}`;
}

function written(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

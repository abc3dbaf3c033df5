import { describe, expect, it } from 'vitest';
import { type Found, type Level, LEVELS } from './compare.js';
import { DIFFERENCES } from './differences.js';
import { type Difference, explains, type Sighting, unseen } from './differences/difference.js';
import { OPEN_DIFFERENCES } from './differences/open.js';
import { OPENAI_SCENARIOS, type Scenarios, type Trial, trialsOf } from './run.js';
import type { Sides } from './sides.js';

/** What a provider is asked, and what it is known to do otherwise than ours. */
export interface Contract {
  readonly scenarios: Scenarios;
  /** Each has to show. */
  readonly differences: readonly Pick<Difference, 'what' | 'seen'>[];
  /** Those of another provider that this one may share; they need not show. */
  readonly shared?: readonly Pick<Difference, 'what' | 'seen'>[];
}

const OPENAI: Contract = { scenarios: OPENAI_SCENARIOS, differences: [...DIFFERENCES, ...OPEN_DIFFERENCES] };

/**
 * Both providers get the same bytes and the same calls: what they do differently has to be on one of the lists, all of it.
 * What we are wrong about is on the list of open differences, which `npm run contract:open` prints.
 */
export function describeContract(sides: Sides, contract: Contract = OPENAI): void {
  const trials = trialsOf(sides, contract.scenarios).filter(
    ({ level }) => isNative(sides) || ABOVE_THE_MODEL.includes(level),
  );
  const own = sightingsOf(contract.differences, sides);
  const sightings = [...own, ...sightingsOf(contract.shared ?? [], sides)];

  describe(`the contract with ${sides.packageName} ${sides.major} under AI SDK ${sides.sdk}`, () => {
    describe.each(isNative(sides) ? LEVELS : ABOVE_THE_MODEL)('%s', (level) => {
      it.each(ofLevel(trials, level))('%s: no difference that is not on the list', async (_name, trial) => {
        const surprises = (await trial.run()).filter(
          (found) => !sightings.some(([, sighting]) => explains(sighting, found)),
        );
        expect(surprises.map(inWords)).toEqual([]);
      });
    });

    // Under another SDK only those that name it: the others show under the one that the models are made for.
    const looked = isNative(sides) ? own : own.filter(([, { under }]) => under !== undefined);
    it('every difference on the list still shows', async () => {
      const all = (await Promise.all(trials.map((trial) => trial.run()))).flat();
      const stale = looked.flatMap(([what, sighting]) => unseen(sighting, all).map((name) => `${what}: ${name}`));
      expect(stale).toEqual([]);
    });
  });
}

function sightingsOf(
  differences: readonly Pick<Difference, 'what' | 'seen'>[],
  { major, sdk }: Sides,
): [string, Sighting][] {
  return differences.flatMap(({ what, seen }) =>
    seen
      .filter(({ of }) => of === undefined || of.includes(major))
      .filter(({ under }) => under === undefined || under.includes(sdk))
      .map((sighting): [string, Sighting] => [what, sighting]),
  );
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

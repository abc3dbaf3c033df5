import { describe, expect, it } from 'vitest';

import { type Fixture, plainParts, randomPlaces, splitAt, whole } from '../../src/testing.js';
import { readAllFixtures } from '../helpers/fixtures.js';
import { replayRound } from '../helpers/replay-round.js';
import { sameValue } from '../helpers/same-value.js';

/** Streams shorter than this are cut at every byte, longer ones at so many random places. */
const EVERY_BYTE_BELOW = 20_000;
const RANDOM_PLACES = 500;

/** Declares the tests that cut every round of some fixtures in two; by origin, so that two files share the work. */
export async function splitEverywhere(origin: Fixture['meta']['origin']): Promise<void> {
  const fixtures = (await readAllFixtures()).filter(({ meta }) => meta.origin === origin);

  describe.each(fixtures)('$meta.name', ({ rounds }) => {
    it.each(rounds.map((round, at) => ({ round, number: at + 1 })))(
      'round $number gives the same parts wherever it is cut in two',
      async ({ round }) => {
        const expected = await replayRound(whole(round.body), round.ending);
        for (const place of placesIn(round.body.length)) {
          const parts = await replayRound(splitAt(place)(round.body), round.ending);
          // Only a difference is worth the time `toEqual` takes.
          if (sameValue(parts, expected)) continue;
          expect(plainParts(parts), `cut before byte ${place}`).toEqual(plainParts(expected));
        }
      },
    );
  });
}

function placesIn(length: number): readonly number[] {
  if (length >= EVERY_BYTE_BELOW) return randomPlaces(length, RANDOM_PLACES, 20_000);
  return Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);
}

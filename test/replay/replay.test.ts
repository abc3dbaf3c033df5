import { describe, expect, it } from 'vitest';

import {
  everyByte,
  type FixtureRound,
  plainParts,
  randomCuts,
  toCr,
  toCrlf,
  whole,
  withBom,
  withComments,
  withDone,
  withoutEventLines,
} from '../../src/testing.js';
import { readAllFixtures } from '../helpers/fixtures.js';
import { replayRound } from '../helpers/replay-round.js';

/** The same stream, written differently: only for event streams, a JSON body has none of this. */
const REFRAMINGS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  'with CR LF': toCrlf,
  'with CR': toCr,
  'without event lines': withoutEventLines,
  'with a byte order mark': withBom,
  'with comments': withComments,
  'with [DONE]': withDone,
  'with all of it': (bytes) => withBom(toCrlf(withComments(withDone(withoutEventLines(bytes))))),
};

describe.each(await readAllFixtures())('$meta.name', ({ meta, rounds, parts }) => {
  it('has expected parts', () => {
    expect(parts, `Run \`npx tsx test/replay/update-parts.ts ${meta.name}\` and read what it writes`).toBeDefined();
  });

  describe.each(rounds.map((round, at) => ({ round, number: at + 1, expected: parts?.[at] })))(
    'round $number',
    ({ round, expected }) => {
      it('gives the expected parts', async () => {
        expect(await replay(round, whole(round.body))).toEqual(expected);
      });

      it('gives the same parts byte by byte', async () => {
        expect(await replay(round, everyByte(round.body))).toEqual(expected);
      });

      it('gives the same parts in chunks of any size', async () => {
        for (const seed of [1, 2, 3, 4, 5]) {
          expect(await replay(round, randomCuts({ seed, maxBytes: 40 * seed })(round.body))).toEqual(expected);
        }
      });

      it.runIf(round.kind === 'sse').each(Object.entries(REFRAMINGS))('gives the same parts %s', async (_, reframe) => {
        const bytes = reframe(round.body);
        expect(await replay(round, whole(bytes))).toEqual(expected);
        expect(await replay(round, everyByte(bytes))).toEqual(expected);
      });
    },
  );
});

async function replay(round: FixtureRound, chunks: readonly Uint8Array[]): Promise<unknown> {
  return plainParts(await replayRound(chunks, round.ending));
}

/**
 * Writes `parts.json` of every fixture, or of those named: `npx tsx test/replay/update-parts.ts [name…]`.
 * Read the difference against the raw stream before you keep it: this writes down what the reducer does, right or wrong.
 */
import { join } from 'node:path';

import { plainParts, writeFixtureParts } from '../../src/testing.js';
import { FIXTURES, readAllFixtures } from '../helpers/fixtures.js';
import { replayRound } from '../helpers/replay-round.js';

const names = process.argv.slice(2);
const fixtures = await readAllFixtures();
const unknown = names.filter((name) => !fixtures.some(({ meta }) => meta.name === name));
if (unknown.length > 0) throw new Error(`No such fixture: ${unknown.join(', ')}`);

for (const { meta, rounds } of fixtures) {
  if (names.length > 0 && !names.includes(meta.name)) continue;
  const replayed = await Promise.all(rounds.map((round) => replayRound([round.body], round.ending)));
  await writeFixtureParts(join(FIXTURES, meta.name), replayed.map(plainParts));
}

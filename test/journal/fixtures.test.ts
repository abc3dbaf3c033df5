import { describe, expect, it } from 'vitest';
import { readRecord } from '../../src/journal/read-record.js';
import { RoundRecorder } from '../../src/journal/round-record.js';
import { whole } from '../../src/testing.js';
import { readAllFixtures } from '../helpers/fixtures.js';
import { replayRound } from '../helpers/replay-round.js';

const step = { key: '0/round/1', kind: 'round', name: 'm' } as const;

const fixtures = await readAllFixtures();

describe('the record of a round', () => {
  it.each(fixtures)('passes the door of the journal: $meta.name', async ({ rounds }) => {
    for (const round of rounds) {
      const recorder = new RoundRecorder();
      recorder.add(await replayRound(whole(round.body), round.ending));
      const record = { version: 1, parts: recorder.parts() } as const;
      expect(readRecord(step, record)).toBe(record);
    }
  });
});

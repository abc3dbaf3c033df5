import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countsOf, problemsOf } from '../counts.js';
import type { Outcome } from '../target.js';

const nowhere = join(import.meta.dirname, 'no-ledger.jsonl');

function moved(silenceMs: number): Outcome {
  return { turn: 'one', broken: [], calls: [], lost: 1, silenceMs, doubled: 0, missing: 0 };
}

function problemsAfter(...seconds: readonly number[]): readonly string[] {
  const outcomes = seconds.map((wait) => moved(wait * 1000));
  return problemsOf(countsOf(outcomes, nowhere, new Map()), outcomes);
}

test('a turn whose instances died one after the other may be silent for long, but not half of the turns', () => {
  expect(problemsAfter(6, 7, 60)).toEqual([]);
  expect(problemsAfter(6, 17, 60)).toEqual(['half of the turns that moved went on after 17.0 s or later']);
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import { judgeLongRun, longRunTraits } from './judge.js';
import { type LongRunObservation, playLongRun } from './play.js';
import { generateLongRun, type LongRun } from './scenario.js';
import { asString } from '../../../src/util/guards.js';

const scenario: LongRun = {
  ...generateLongRun(4),
  version: 'v3',
  method: 'doStream',
  backend: 'openai',
  maxToolOutputChars: 1_000,
  store: 'memory',
  turns: [
    [
      {
        kind: 'calls',
        calls: [
          { call: 'log', chars: 20_000, isError: false },
          { call: 'slow', requests: 2 },
        ],
      },
      { kind: 'calls', calls: [{ call: 'read', which: 0, from: 50, to: 60, forged: false }, { call: 'quick' }] },
    ],
    [],
  ],
};
let clean: LongRunObservation;

beforeAll(async () => {
  clean = await playLongRun(scenario);
});

/** The same, with other items in each input. */
function withInputs(change: (input: readonly JsonObject[]) => readonly JsonObject[]): LongRunObservation {
  const requests = clean.model.requests.map((request) => ({ ...request, input: change(request.input) }));
  return { ...clean, model: Object.assign(Object.create(clean.model) as typeof clean.model, { requests }) };
}

const isOutput = (item: JsonObject): boolean => item['type'] === 'function_call_output';

describe('the judge of long runs', () => {
  it('finds nothing in a run in which an output was cut and read, and a call stayed open', () => {
    expect(judgeLongRun(scenario, clean)).toEqual([]);
    expect(longRunTraits(scenario, clean)).toEqual(
      expect.arrayContaining(['output cut', 'range read', 'call left open']),
    );
  });

  it.each<[string, () => LongRunObservation, string]>([
    [
      'an output is missing',
      () => withInputs((all) => all.filter((item) => item['call_id'] !== 'call_1_1' || !isOutput(item))),
      'No tool output found for call_1_1',
    ],
    ['an output comes twice', () => withInputs((all) => [...all, ...all.filter(isOutput)]), 'has two outputs'],
    [
      'an output has no call',
      () => withInputs((all) => all.filter((item) => item['type'] !== 'function_call')),
      'comes before its call',
    ],
    ['a tool runs twice', () => ({ ...clean, runs: [...clean.runs, ...clean.runs] }), 'ran twice'],
    [
      'a result is shown twice',
      () => ({ ...clean, turns: clean.turns.map((turn) => ({ ...turn, parts: [...turn.parts, ...turn.parts] })) }),
      'shows two results',
    ],
    [
      'a range is not that of the text',
      () =>
        withInputs((all) =>
          all.map((item) => ({
            ...item,
            ...((asString(item['output']) ?? '').includes('[characters')
              ? { output: (asString(item['output']) ?? '').replace('line', 'lime') }
              : {}),
          })),
        ),
      'which are not those',
    ],
    [
      'an output is too long',
      () => withInputs((all) => all.map((item) => (isOutput(item) ? { ...item, output: 'x'.repeat(2_000) } : item))),
      'has 2000 characters',
    ],
    [
      'a late result is lost',
      () =>
        withInputs((all) =>
          all.map((item) =>
            (asString(item['output']) ?? '').includes('slow call_0_1') ? { ...item, output: 'gone' } : item,
          ),
        ),
      'does not have the result of call_0_1',
    ],
    ['a call does not end', () => ({ ...clean, hung: true }), 'did not end'],
    [
      'a call fails for no reason',
      () => ({ ...clean, turns: [{ parts: [], error: 'why', requests: [0, 1] }] }),
      'ended with "why"',
    ],
  ])('sees that %s', (_what, observation, problem) => {
    const problems = judgeLongRun(scenario, observation()).map((found) => found.problem);
    expect(problems.join('\n')).toContain(problem);
  });
});

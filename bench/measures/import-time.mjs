import { child } from '../support/child.mjs';
import { OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { interleave } from '../support/statistics.mjs';

const ENTRIES = [
  { name: OURS, entry: 'responses-loop' },
  { name: OPEN_RESPONSES, entry: OPEN_RESPONSES },
  { name: STOCK, entry: STOCK },
  { name: OPENAI_SDK, entry: OPENAI_SDK },
];

/** Importing the main entry in a program that has `ai` loaded, in a process of its own each time. */
export async function measure({ rounds }) {
  const samples = await interleave(ENTRIES, {
    rounds: rounds(25),
    warmUp: 1,
    sample: ({ entry }) => child('import', entry),
  });
  return [
    row('import of the main entry, with `ai` already loaded', 'ms', samples.medians(), [
      atMost(samples.ratio(OURS, OPEN_RESPONSES), 1.15, '× open-responses'),
    ]),
  ];
}

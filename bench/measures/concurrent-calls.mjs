import { expectSame, readCounting, textContenders } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { OPEN_RESPONSES, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave } from '../support/statistics.mjs';
import { textAnswer, toChunks, words } from '../support/wire.mjs';

const CALLS = 200;
const DELTAS = 100;

/** Calls at once on one provider, their chunks taking turns. */
export async function measure({ rounds }) {
  const deltas = words(DELTAS);
  const text = deltas.join('');
  const chunks = toChunks(textAnswer(deltas), 2);
  const contenders = textContenders({ fetch: memoryFetch(() => chunks, { breathe: true }) });
  await expectSame(contenders, text);
  const all = (contender) => () =>
    Promise.all(Array.from({ length: CALLS }, () => readCounting(contender, text.length)));
  const samples = await interleave(contenders, {
    rounds: rounds(15),
    warmUp: 4,
    sample: (contender) => cpuTime(all(contender)),
  });
  return [
    row(`${CALLS} concurrent calls, ${DELTAS} deltas each`, 'ms CPU', samples.medians(1_000), [
      atMost(samples.ratio(OURS, OPEN_RESPONSES), 1, '× open-responses'),
      atMost(samples.ratio(OURS, STOCK), 0.6, '× stock'),
    ]),
  ];
}

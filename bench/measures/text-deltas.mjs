import { expectSame, readCounting, textContenders } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { FLOOR, OURS, STOCK } from '../support/names.mjs';
import { atLeast, atMost, row } from '../support/row.mjs';
import { cpuTime, interleave } from '../support/statistics.mjs';
import { textAnswer, toChunks, words } from '../support/wire.mjs';

const DELTAS = 20_000;
const CASES = [
  { perChunk: 1, limit: 1.6 },
  { perChunk: 2, limit: 1.6 },
  { perChunk: 16, limit: 2 },
];

/** What a provider costs per delta of text. */
export async function measure({ rounds }) {
  const rows = [];
  const deltas = words(DELTAS);
  const text = deltas.join('');
  for (const { perChunk, limit } of CASES) {
    const chunks = toChunks(textAnswer(deltas), perChunk);
    const contenders = textContenders({ fetch: memoryFetch(() => chunks) });
    await expectSame(contenders, text);
    const samples = await interleave(contenders, {
      rounds: rounds(15),
      sample: (contender) => cpuTime(() => readCounting(contender, text.length)),
    });
    rows.push(
      row(`text delta, ${perChunk} per chunk`, 'µs CPU', samples.medians(DELTAS), [
        atMost(samples.ratio(OURS, FLOOR), limit, '× floor'),
        atLeast(samples.ratio(STOCK, OURS), 3.5, '× faster than stock'),
      ]),
    );
  }
  return rows;
}

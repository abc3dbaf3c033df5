import { child } from '../support/child.mjs';
import { OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';

const MEGABYTE = 1e6;
const NAMES = [OURS, OPEN_RESPONSES, STOCK, OPENAI_SDK];

/** What stays in memory while a long answer streams to somebody who keeps nothing of it. */
export async function measure({ isQuick }) {
  const megabytes = isQuick ? 10 : 50;
  const rows = [];
  for (const length of [1_000, 50]) {
    const grown = {};
    let text = 0;
    for (const name of NAMES) {
      const result = await child('heap', name, String(megabytes), String(length));
      grown[name] = result.grown / MEGABYTE;
      text = result.text / MEGABYTE;
    }
    rows.push(
      row(`heap growth, ${megabytes} MB in deltas of ${length} characters`, 'MB', grown, [
        atMost(grown[OURS] - text, 5, 'MB more than the text itself'),
      ]),
    );
  }
  return rows;
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expectSame, textContenders } from '../support/contenders.mjs';
import { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { interleave } from '../support/statistics.mjs';

const DELTAS = ['The', ' ducks', ' swim', '.'];

/** From the call to the first delta of text, through a real server on loopback and the platform's `fetch`. */
export async function measure({ rounds }) {
  const server = fork(fileURLToPath(new URL('../children/server.mjs', import.meta.url)), DELTAS);
  const [port] = await once(server, 'message');
  const contenders = textContenders({
    fetch: globalThis.fetch,
    baseURL: `http://127.0.0.1:${port}/v1`,
    names: [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK],
  });
  await expectSame(contenders, DELTAS.join(''));
  const samples = await interleave(contenders, { rounds: rounds(500), warmUp: 100, sample: firstText });
  server.kill();
  return [
    row('time to first text, loopback server', 'ms', samples.medians(), [
      atMost(samples.ratioToBest(OURS, [STOCK, OPEN_RESPONSES]), 1.05, '× the better of stock and open-responses'),
    ]),
  ];
}

async function firstText({ read }) {
  const start = performance.now();
  let first;
  await read(() => {
    first ??= performance.now() - start;
  });
  return first;
}

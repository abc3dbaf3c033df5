import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expectSame, textContenders } from '../support/contenders.mjs';
import { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from '../support/names.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave } from '../support/statistics.mjs';
import { textAnswer, toChunks } from '../support/wire.mjs';

const DELTAS = ['The', ' ducks', ' swim', '.'];
const CONTENDERS = [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK];
const CALLS_IN_A_ROW = 300;
/** Calls of each contender before its 500 are taken. */
const AGES = [
  { name: 'after 100 calls', warmUp: 100 },
  { name: 'after 3,000 calls', warmUp: 2_400 },
];

export async function measure({ rounds }) {
  return [...(await overLoopback(rounds)), await inARow(rounds)];
}

/**
 * From the call to the first delta of text, through a real server on loopback and the platform's `fetch`: in a young process,
 * and in one whose engine has had the calls to compile what they run.
 */
async function overLoopback(rounds) {
  const server = fork(fileURLToPath(new URL('../children/server.mjs', import.meta.url)), DELTAS);
  const [port] = await once(server, 'message');
  const contenders = textContenders({
    fetch: globalThis.fetch,
    baseURL: `http://127.0.0.1:${port}/v1`,
    names: CONTENDERS,
  });
  await expectSame(contenders, DELTAS.join(''));
  const rows = [];
  for (const { name, warmUp } of AGES) {
    const samples = await interleave(contenders, { rounds: rounds(500), warmUp, sample: firstText });
    rows.push(
      row(`time to first text, loopback server, ${name}`, 'ms', samples.medians(), [
        atMost(samples.ratioToBest(OURS, [STOCK, OPEN_RESPONSES]), 1.1, '× the faster of stock and open-responses'),
      ]),
    );
  }
  server.kill();
  return rows;
}

/** Whole calls of that kind from memory, one behind the other: what they cost where their code is in the caches. */
async function inARow(rounds) {
  const chunks = toChunks(textAnswer(DELTAS), DELTAS.length);
  const contenders = textContenders({ fetch: memoryFetch(() => chunks), names: CONTENDERS });
  const samples = await interleave(contenders, {
    rounds: rounds(15),
    sample: ({ read }) =>
      cpuTime(async () => {
        for (let call = 0; call < CALLS_IN_A_ROW; call += 1) await read(() => {});
      }),
  });
  return row(
    `a call with ${DELTAS.length} deltas (average of ${CALLS_IN_A_ROW} consecutive calls)`,
    'ms CPU',
    samples.medians(CALLS_IN_A_ROW * 1000),
    [],
  );
}

async function firstText({ read }) {
  const start = performance.now();
  let first;
  await read(() => {
    first ??= performance.now() - start;
  });
  return first;
}

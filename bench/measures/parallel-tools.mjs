import { setTimeout as sleep } from 'node:timers/promises';
import { MODELS, PROMPT, readModel } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { OURS } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { interleave, wallTime } from '../support/statistics.mjs';
import { callsAnswer, textAnswer, toChunks } from '../support/wire.mjs';

const TOOL_MS = 50;
const ANSWER = 'All were asked.';
const ONE = 'one tool';

/** Slow tools that only read run side by side. */
export async function measure({ rounds }) {
  const contenders = [
    { name: OURS, run: runWith(8) },
    { name: ONE, run: runWith(1) },
  ];
  const samples = await interleave(contenders, { rounds: rounds(20), warmUp: 2, sample: ({ run }) => wallTime(run) });
  const medians = samples.medians();
  return [
    row(
      `8 tools taking ${TOOL_MS} ms each in one round (one tool: ${medians[ONE].toFixed(1)} ms)`,
      'ms',
      { [OURS]: medians[OURS] },
      [atMost(samples.ratio(OURS, ONE), 1.3, '× one tool')],
    ),
  ];
}

function runWith(count) {
  const calls = Array.from({ length: count }, (_, index) => ({
    name: 'look',
    callId: `call_${index}`,
    pieces: [`{"at":`, `${index}}`],
  }));
  const answers = [toChunks(callsAnswer(calls), 1), toChunks(textAnswer([ANSWER]), 1)];
  let round = 0;
  let runs = 0;
  const look = {
    inputSchema: { type: 'object', properties: { at: { type: 'number' } } },
    readOnly: true,
    execute: async ({ at }) => {
      runs += 1;
      await sleep(TOOL_MS);
      return `nothing at ${at}`;
    },
  };
  const model = MODELS[OURS]({ fetch: memoryFetch(() => answers[round++]), tools: { look } });
  return async () => {
    round = 0;
    runs = 0;
    let text = '';
    await readModel(model, { prompt: PROMPT }, (delta) => {
      text += delta;
    });
    if (text !== ANSWER || runs !== count) throw new Error(`"${text}" after ${runs} runs of ${count}`);
  };
}

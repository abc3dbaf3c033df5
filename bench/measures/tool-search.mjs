import { MODELS, PROMPT, readModel } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { OURS } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { interleave, wallTime } from '../support/statistics.mjs';
import { callsAnswer, textAnswer, toChunks } from '../support/wire.mjs';

const ANSWER = 'It was shipped.';
const SEARCHED = 'with search';
const OFFERED = 'without search';
const THINGS = [
  'order',
  'invoice',
  'customer',
  'parcel',
  'ticket',
  'refund',
  'contract',
  'account',
  'device',
  'report',
];
const DOINGS = ['create', 'find', 'list', 'update', 'delete', 'archive', 'export', 'assign', 'approve', 'cancel'];

/** A call that needs one tool of many: what the list costs before the first word, in how many rounds the answer is there, and when. */
export async function measure({ rounds }) {
  const rows = [];
  for (const count of [200, 2_000]) {
    const contenders = [
      { name: SEARCHED, ...runWith(count, true) },
      { name: OFFERED, ...runWith(count, false) },
    ];
    const samples = await interleave(contenders, { rounds: rounds(10), warmUp: 2, sample: ({ run }) => wallTime(run) });
    const medians = samples.medians();
    const [searched, offered] = contenders.map(({ seen }) => seen());
    const beside = (value) => ` (${OFFERED}: ${value})`;
    rows.push(
      row(
        `search among ${count} tools: tool tokens in the first request${beside(offered.tokens)}`,
        '',
        { [OURS]: searched.tokens },
        [atMost(searched.tokens, 3_000, 'tokens')],
      ),
      row(
        `search among ${count} tools: rounds until the answer${beside(offered.rounds)}`,
        '',
        { [OURS]: searched.rounds },
        [atMost(searched.rounds, offered.rounds + 1, 'rounds')],
      ),
      row(
        `search among ${count} tools: time per call${beside(`${medians[OFFERED].toFixed(1)} ms`)}`,
        'ms',
        { [OURS]: medians[SEARCHED] },
        [atMost(samples.ratio(SEARCHED, OFFERED), 2, `× the time ${OFFERED}`)],
      ),
    );
  }
  return rows;
}

function runWith(count, deferLoading) {
  const names = Array.from({ length: count }, (_, at) => {
    const group = at < 100 ? '' : `_${Math.floor(at / 100)}`;
    return `${DOINGS[Math.floor(at / 10) % 10]}_${THINGS[at % 10]}${group}`;
  });
  const wanted = names[count / 2];
  const tools = Object.fromEntries(names.map((name) => [name, toolNamed(name, deferLoading)]));
  const call = (name, args) =>
    toChunks(callsAnswer([{ name, callId: `call_${name}`, pieces: [JSON.stringify(args)] }]), 1);
  const answers = [
    ...(deferLoading ? [call('search_tools', { query: wanted.replaceAll('_', ' ') })] : []),
    call(wanted, { id: '7' }),
    toChunks(textAnswer([ANSWER]), 1),
  ];
  let bodies = [];
  const fetch = memoryFetch((sent) => answers[bodies.push(sent) - 1]);
  const model = MODELS[OURS]({ fetch, tools, backend: 'generic' });
  return {
    run: async () => {
      bodies = [];
      let text = '';
      await readModel(model, { prompt: PROMPT }, (delta) => {
        text += delta;
      });
      if (text !== ANSWER || bodies.length !== answers.length)
        throw new Error(`"${text}" after ${bodies.length} rounds`);
    },
    // Four characters are about one token.
    seen: () => ({ rounds: bodies.length, tokens: Math.round(JSON.stringify(toolsIn(bodies[0])).length / 4) }),
  };
}

function toolsIn(body) {
  return JSON.parse(new TextDecoder().decode(body)).tools;
}

function toolNamed(name, deferLoading) {
  const [doing, thing] = name.split('_');
  return {
    description: `Use this to ${doing} one ${thing} of the shop. It needs the number of the ${thing}, and takes a note for the log.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: `Number of the ${thing}.` },
        note: { type: 'string', description: 'A line for the log.' },
      },
      required: ['id'],
    },
    deferLoading,
    readOnly: true,
    execute: () => 'Done.',
  };
}

import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MODELS, readFloor } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { FLOOR, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave, median } from '../support/statistics.mjs';
import { callsAnswer, textAnswer, toChunks } from '../support/wire.mjs';

const CASES = [
  { rounds: 10, samples: 15 },
  { rounds: 100, samples: 7 },
  { rounds: 400, samples: 5, limit: 0.5 },
];
const LATE = 50;
const ANSWER = 'That was all.';
const PAGE = 'The ducks on the pond swim in a row and wait for bread. '.repeat(74).slice(0, 4_096);
const PROMPT = 'Read all pages.';
const SCHEMA = { type: 'object', properties: { page: { type: 'number' } }, required: ['page'] };

const argumentsOf = (page) => `{"page":${page}}`;
const pageOf = ({ page }) => `page ${page}: ${PAGE}`;

/** A loop of many rounds: what the client spends on it. The server is a function of this process. */
export async function measure({ rounds: samplesOf, isQuick }) {
  const rows = [];
  let growth;
  for (const { rounds, samples: wanted, limit } of CASES) {
    const server = new Server(rounds);
    const contenders = contendersOf(server);
    const late = new Map(contenders.map(({ name }) => [name, []]));
    const samples = await interleave(contenders, {
      rounds: samplesOf(wanted),
      warmUp: isQuick ? 1 : 2,
      sample: async ({ name, run }) => {
        const spent = await cpuTime(() => server.serve(run));
        late.get(name).push(server.growth());
        return spent;
      },
    });
    const checks = limit === undefined ? [] : [atMost(samples.ratio(OURS, STOCK), limit, '× stock')];
    rows.push(row(`loop of ${rounds} rounds`, 'ms CPU', samples.medians(1_000), checks));
    growth = late;
  }
  return [...rows, growthRow(growth)];
}

/** How much more the last rounds cost than the first. */
function growthRow(growth) {
  const medians = Object.fromEntries([...growth].map(([name, values]) => [name, median(values) / 1_000 / LATE]));
  const checks = [atMost(medians[OURS] / medians[FLOOR], 1.5, '× floor')];
  return row('loop of 400 rounds: extra cost of a late round', 'ms CPU', medians, checks);
}

class Server {
  fetch;
  #rounds;
  #round = 0;
  #lastBytes = 0;
  #marks = new Map();
  #answers;

  constructor(rounds) {
    this.#rounds = rounds;
    this.#answers = Array.from({ length: rounds }, (_, page) => {
      const pieces = [argumentsOf(page).slice(0, 5), argumentsOf(page).slice(5)];
      return toChunks(callsAnswer([{ name: 'read', callId: `call_${page}`, pieces }]), 4);
    });
    this.#answers.push(toChunks(textAnswer([ANSWER]), 4));
    this.fetch = memoryFetch((bytes) => {
      this.#marks.set(this.#round, process.cpuUsage());
      this.#lastBytes = bytes.length;
      this.#round += 1;
      return this.#answers[this.#round - 1];
    });
  }

  /** One whole loop; everything that was read has to be in the last request. */
  async serve(run) {
    this.#round = 0;
    this.#marks.clear();
    const text = await run(this.fetch);
    const least = this.#rounds * PAGE.length;
    if (text !== ANSWER || this.#round !== this.#rounds + 1 || this.#lastBytes < least)
      throw new Error(`"${text}" after ${this.#round} rounds, ${this.#lastBytes} bytes in the last one`);
  }

  growth() {
    const spent = (from, to) => sum(this.#marks.get(to)) - sum(this.#marks.get(from));
    if (this.#rounds <= 2 * LATE) return 0;
    return spent(this.#rounds - LATE, this.#rounds) - spent(1, 1 + LATE);
  }
}

const sum = ({ user, system }) => user + system;

function contendersOf({ fetch }) {
  const ours = MODELS[OURS]({
    fetch,
    tools: { read: { inputSchema: SCHEMA, execute: pageOf, readOnly: true } },
    maxRounds: 1_000,
  });
  const stock = MODELS[STOCK]({ fetch });
  const tools = { read: tool({ inputSchema: jsonSchema(SCHEMA), execute: pageOf }) };
  return [
    { name: OURS, run: () => textOf(streamText({ model: ours, prompt: PROMPT })) },
    { name: FLOOR, run: () => floor(fetch) },
    {
      name: STOCK,
      run: () =>
        textOf(
          streamText({
            model: stock,
            prompt: PROMPT,
            tools,
            stopWhen: stepCountIs(1_000),
            // Else it would send references to what it counts on the server to keep.
            providerOptions: { openai: { store: false } },
          }),
        ),
    },
  ];
}

async function textOf(result) {
  let text = '';
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') text += part.text;
    if (part.type === 'error') throw part.error;
  }
  return text;
}

/** Every item is encoded once and kept; a request is what was kept, joined. */
async function floor(fetch) {
  const items = [JSON.stringify({ role: 'user', content: PROMPT })];
  let text = '';
  for (;;) {
    let call;
    const body = `{"model":"gpt-5.1","store":false,"stream":true,"input":[${items.join(',')}]}`;
    await readFloor(
      fetch,
      'http://127.0.0.1:9/v1/responses',
      (event) => {
        if (event.type === 'response.output_text.delta') text += event.delta;
        if (event.type === 'response.output_item.done' && event.item.type === 'function_call') call = event.item;
      },
      body,
    );
    if (call === undefined) return text;
    const output = pageOf(JSON.parse(call.arguments));
    items.push(
      JSON.stringify({ type: 'function_call', call_id: call.call_id, name: call.name, arguments: call.arguments }),
      JSON.stringify({ type: 'function_call_output', call_id: call.call_id, output }),
    );
  }
}

import { MODELS, PROMPT, readFloor, readModel } from '../support/contenders.mjs';
import { memoryFetch } from '../support/memory-fetch.mjs';
import { FLOOR, OPEN_RESPONSES, OURS, STOCK } from '../support/names.mjs';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave } from '../support/statistics.mjs';
import { callsAnswer, textAnswer, toChunks, words } from '../support/wire.mjs';

const DELTAS = 20_000;
const CALL = { name: 'write', callId: 'call_1' };
const OUTPUT = 'written';
const ANSWER = 'All is written.';
const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text'],
  additionalProperties: false,
};

/** The arguments of a call, the tool's run by our loop, and the round that follows; the others are sent back by hand. */
export async function measure({ rounds }) {
  const rows = [];
  const text = words(DELTAS - 2).join('');
  const pieces = ['{"text":"', ...words(DELTAS - 2), '"}'];
  for (const perChunk of [1, 16]) {
    const answers = [toChunks(callsAnswer([{ ...CALL, pieces }]), perChunk), toChunks(textAnswer([ANSWER]), perChunk)];
    const contenders = contendersOf(answers, { text, args: pieces.join('') });
    const samples = await interleave(contenders, {
      rounds: rounds(15),
      sample: ({ run }) => cpuTime(run),
    });
    rows.push(
      row(`argument delta with a loop, ${perChunk} per chunk`, 'µs CPU', samples.medians(DELTAS), [
        atMost(samples.ratio(OURS, FLOOR), 2, '× floor'),
      ]),
    );
  }
  return rows;
}

function contendersOf(answers, expected) {
  let round = 0;
  const fetch = memoryFetch(() => answers[round++]);
  const restart = (run) => async () => {
    round = 0;
    const seen = { input: 0, text: '' };
    await run(seen);
    if (seen.input !== expected.args.length || seen.text !== ANSWER || round !== 2)
      throw new Error(`${seen.input} characters of arguments, "${seen.text}", ${round} rounds`);
  };
  return [
    { name: OURS, run: restart(ours(fetch, expected.text)) },
    { name: FLOOR, run: restart(floor(fetch)) },
    { name: OPEN_RESPONSES, run: restart(byHand(MODELS[OPEN_RESPONSES]({ fetch }))) },
    { name: STOCK, run: restart(byHand(MODELS[STOCK]({ fetch }))) },
  ];
}

/** Not all of them tell the deltas one by one. */
const onPartOf = (seen) => (part) => {
  if (part.type === 'tool-call') seen.input = part.input.length;
};
const onTextOf = (seen) => (delta) => {
  seen.text += delta;
};

function ours(fetch, expected) {
  const write = {
    inputSchema: SCHEMA,
    execute: ({ text }) => {
      if (text !== expected) throw new Error('The tool got other arguments.');
      return OUTPUT;
    },
  };
  const model = MODELS[OURS]({ fetch, tools: { write } });
  return (seen) => readModel(model, { prompt: PROMPT }, onTextOf(seen), onPartOf(seen));
}

function byHand(model) {
  const tools = [{ type: 'function', name: CALL.name, inputSchema: SCHEMA }];
  return async (seen) => {
    let call;
    const onPart = (part) => {
      onPartOf(seen)(part);
      if (part.type === 'tool-call') call = part;
    };
    await readModel(model, { prompt: PROMPT, tools }, onTextOf(seen), onPart);
    await readModel(model, { prompt: [...PROMPT, ...messagesOf(call)], tools }, onTextOf(seen), onPart);
  };
}

function messagesOf({ toolCallId, toolName, input }) {
  const call = { type: 'tool-call', toolCallId, toolName, input: JSON.parse(input) };
  const result = { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: OUTPUT } };
  return [
    { role: 'assistant', content: [call] },
    { role: 'tool', content: [result] },
  ];
}

function floor(fetch) {
  const onEventOf = (seen) => (event) => {
    if (event.type === 'response.function_call_arguments.delta') seen.input += event.delta.length;
    if (event.type === 'response.output_text.delta') seen.text += event.delta;
  };
  return async (seen) => {
    await readFloor(fetch, 'http://127.0.0.1:9/v1/responses', onEventOf(seen));
    await readFloor(fetch, 'http://127.0.0.1:9/v1/responses', onEventOf(seen));
  };
}

import assert from 'node:assert/strict';
import { createScriptedServer } from 'responses-loop/testing';

/** What the model calls when the last thing a user said has this word in it. */
const CALLS = {
  ours: [['echo', { message: 'duck' }]],
  mixed: [
    ['echo', { message: 'duck' }],
    ['weather', { city: 'Oslo' }],
  ],
};

/**
 * A Responses server whose model goes by the words of the last question: `ours` calls the tool of the MCP server, `mixed`
 * that and the framework's own, `aloud` says something before, `thinking` shows why, `history` says which calls and outputs it was sent,
 * `slowly` never comes to an end, `structured` answers in JSON. What it was asked is in `requests`.
 */
export function startModel() {
  return createScriptedServer({ otherwise: ({ input }) => answer(input) });
}

function answer(input) {
  const asked = input.findLastIndex((item) => item.role === 'user');
  const question = JSON.stringify(input[asked]?.content ?? '');
  const has = (word) => question.includes(word);
  const calls = CALLS[Object.keys(CALLS).find(has)] ?? [];
  const outputs = input.slice(asked + 1).filter(isOutput);
  if (calls.length > 0 && outputs.length === 0) {
    const preamble = [
      ...(has('thinking') ? [{ type: 'reasoning', summary: ['I have to look.'], encrypted: 'sealed' }] : []),
      ...(has('aloud') ? [text('Let me look. ')] : []),
    ];
    return {
      output: [...preamble, ...calls.map(([name, args]) => ({ type: 'call', name, arguments: args }))],
    };
  }
  if (has('slowly')) return { events: [{ type: 'response.created', response: { id: 'resp_slow' } }], ending: 'stall' };
  if (has('structured')) return { output: [text('{"city":"Oslo"}')] };
  if (has('history')) return { output: [text(`History: ${historyOf(input)}`)] };
  return { output: [text(outputs.length > 0 ? `Seen: ${outputs.map(outputOf).join(', ')}` : 'Hello.')] };
}

/** Resolves once the server has one more request than now. A client that is stopped before it asks has nothing to leave. */
export async function nextRequest({ requests }) {
  const known = requests.length;
  while (requests.length === known) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** That the last request was left before it was answered. */
export async function wasAborted({ requests }) {
  const last = requests.at(-1);
  await last.closed;
  assert.ok(last.aborted, 'The request was not aborted.');
}

/** Calls in the order in which they stand, each with its output. */
function historyOf(input) {
  const outputs = new Map(input.filter(isOutput).map((item) => [item.call_id, outputOf(item)]));
  const calls = input.filter((item) => item.type === 'function_call');
  return calls.map((call) => `${call.name} = ${outputs.get(call.call_id)}`).join(', ');
}

function isOutput(item) {
  return item.type === 'function_call_output';
}

/** Frameworks put a text that their own tool returned into quotes, or into an object. */
function outputOf({ output }) {
  return /Echo: duck|sunny in Oslo/.exec(JSON.stringify(output))?.[0] ?? JSON.stringify(output);
}

function text(words) {
  return { type: 'text', text: words };
}

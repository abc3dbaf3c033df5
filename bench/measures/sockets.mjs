import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createResponsesProvider } from 'responses-loop/v3';
import { atMost, row } from '../support/row.mjs';
import { cpuTime, interleave, wallTime } from '../support/statistics.mjs';
import { OURS } from '../support/names.mjs';

const RESULT = 'The ducks on the pond swim in a row and wait for bread. '.repeat(74).slice(0, 4_096);
const DESCRIPTION = 'Reads one of many pages, and says what is on it, whatever that may be. '.repeat(14);
const SCHEMA = { type: 'object', properties: { page: { type: 'number' } }, required: ['page'] };
const [HTTP, SOCKET] = ['over HTTP', 'over a socket'];

/** What the server hands to the network at once, over either transport: all of an answer, or one event. */
const ALL = 1_000_000;

/** Our own loop over both transports, against a server that paces both alike: what the client spends, and what it sends. */
export async function measure({ rounds: samplesOf }) {
  const server = fork(fileURLToPath(new URL('../children/socket-server.mjs', import.meta.url)));
  try {
    const [port] = await once(server, 'message');
    const rows = [];
    for (const loop of [
      { title: 'loop of 100 rounds', steps: 100, tools: 1 },
      { title: 'loop of 400 rounds', steps: 400, tools: 1, cpu: 0.5, megabytes: 2 },
      { title: 'loop of 400 rounds, 41 tools', steps: 400, tools: 41 },
      { title: 'answer with 20,000 deltas, in a burst', words: 20_000, cpu: 1.1 },
      { title: 'answer with 20,000 deltas, one at a time', words: 20_000, together: 1, cpu: 1.1 },
    ])
      rows.push(await compare(port, loop, samplesOf(loop.words === undefined ? 5 : 25)));
    rows.push(await firstText(port, samplesOf(60)));
    return rows;
  } finally {
    server.disconnect();
  }
}

async function compare(port, { title, steps = 0, words = 1, together = ALL, tools = 1, cpu, megabytes }, rounds) {
  const contenders = [contender(HTTP, port, 'sse', tools), contender(SOCKET, port, 'websocket', tools)];
  const sent = {};
  const samples = await interleave(contenders, {
    rounds,
    warmUp: 1,
    sample: async ({ name, provider }) => {
      await sentBytes(port);
      const spent = await cpuTime(() => talk(provider, `${steps} steps, ${words} words, ${together} at once`));
      sent[name] = (await sentBytes(port)) / 1e6;
      return spent;
    },
  });
  await Promise.all(contenders.map(({ provider }) => provider.close()));
  const medians = samples.medians(1_000);
  const checks = [];
  if (cpu !== undefined) checks.push(atMost(samples.ratio(SOCKET, HTTP), cpu, '× HTTP'));
  if (megabytes !== undefined) checks.push(atMost(sent[SOCKET], megabytes, 'MB sent'));
  const said = `${sent[HTTP].toFixed(1)} → ${sent[SOCKET].toFixed(2)} MB; HTTP: ${medians[HTTP].toFixed(0)} ms`;
  return row(`${title}, over a WebSocket (${said})`, 'ms CPU', { [OURS]: medians[SOCKET] }, checks);
}

/** Each call with a provider of its own, so that each has its first round over HTTP. */
async function firstText(port, rounds) {
  const contenders = [
    { name: HTTP, transport: 'sse' },
    { name: SOCKET, transport: 'auto' },
  ];
  const samples = await interleave(contenders, {
    rounds,
    warmUp: 10,
    sample: async ({ transport }) => {
      const { provider } = contender('', port, transport, 1);
      const spent = await wallTime(() => talk(provider, `0 steps, 1 words, ${ALL} at once`, true));
      await provider.close();
      return spent;
    },
  });
  return row("first text with `transport: 'auto'`", 'ms', { [OURS]: samples.medians()[SOCKET] }, [
    atMost(samples.ratio(SOCKET, HTTP), 1.1, '× HTTP'),
  ]);
}

function contender(name, port, transport, count) {
  const tool = { description: DESCRIPTION, inputSchema: SCHEMA, execute: ({ page }) => `page ${page}: ${RESULT}` };
  const others = Object.fromEntries(Array.from({ length: count - 1 }, (_, index) => [`other_${index}`, tool]));
  const provider = createResponsesProvider({
    baseURL: `http://127.0.0.1:${port}/v1`,
    apiKey: 'sk-bench',
    backend: 'openai',
    transport,
    maxRounds: 1_000,
    maxRepeatedRounds: 1_000,
    tools: { step: { ...tool, description: 'Reads a page.' }, ...others },
  });
  return { name, provider };
}

async function talk(provider, text, onlyFirst = false) {
  const prompt = [{ role: 'user', content: [{ type: 'text', text }] }];
  const { stream } = await provider('m').doStream({ prompt });
  let finish;
  for await (const part of stream) {
    if (onlyFirst && part.type === 'text-delta') break;
    if (part.type === 'finish') finish = part.finishReason;
  }
  if (!onlyFirst && finish?.unified !== 'stop') throw new Error(`The call ended with ${JSON.stringify(finish)}.`);
}

/** What the server has got since it was asked last. */
async function sentBytes(port) {
  const response = await fetch(`http://127.0.0.1:${port}/`);
  return Number(await response.text());
}

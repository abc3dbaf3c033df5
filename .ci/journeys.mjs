// What calls enter of the package, function by function, as the build of `RESPONSES_LOOP_BUILD=traced` tells it.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.AI_SDK_LOG_WARNINGS = false;
const ANSWERED = 'the server has answered';
const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const MCP = {
  mcpServers: { everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] } },
  timeouts: { headersMs: 30_000 },
};

/** Entries in their order: `{ file, name }` for a function, `{ mark }` for a request that is answered. */
export async function walkAll(root) {
  const [first, second] = [await walk(root, {}), await walk(root, MCP)];
  const answers = second.flatMap(({ mark }, at) => (mark === ANSWERED ? [at] : []));
  const result = second.findLastIndex(({ name }, at) => at < answers[1] && /^readResult\b/.test(name ?? ''));
  if (result === -1)
    throw new Error('No function readResult reads what a tool gave: name the one that does in .ci/journeys.mjs.');
  const refused = await walk(root, { answer: refuse });
  return {
    hello: entriesOf(first),
    mcp: entriesOf(second),
    result: entriesOf(second.slice(result, answers[1])),
    refused: entriesOf(refused.slice(refused.findIndex(({ mark }) => mark === ANSWERED))),
  };
}

/** What a reader has to follow. A change of file is a return if it leads to a file that was left before. */
export function countsOf(entries) {
  const files = [...new Set(entries.map(({ file }) => file))];
  const functions = new Set(entries.map(({ file, name }) => `${file} ${name}`)).size;
  const changes = entries.filter(({ file }, at) => at > 0 && entries[at - 1].file !== file).length;
  return { files, functions, entries: entries.length, returns: Math.max(0, changes - files.length + 1) };
}

function entriesOf(steps) {
  return steps.filter(({ mark }) => mark === undefined);
}

/** Answers a request that offers tools and holds no output yet with a call, any other with text. */
async function answerFrom(root, body) {
  const { input, tools } = JSON.parse(body);
  const calls = tools !== undefined && !input.some(({ type }) => type === 'function_call_output');
  const output = calls
    ? { type: 'call', name: 'echo', arguments: ['{"message"', ':"hi"}'] }
    : { type: 'text', text: ['Hello', ' there.'] };
  const { encodeEvents, responseEvents } = await import(pathToFileURL(join(root, 'dist/testing.js')).href);
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(encodeEvents(responseEvents({ output: [output] })), { headers });
}

async function refuse() {
  const error = {
    message: 'Rate limit reached for gpt-5. Try again in 20s.',
    type: 'rate_limit',
    code: 'rate_limit_exceeded',
  };
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
  return new Response(JSON.stringify({ error }), { status: 429, headers });
}

/** The fourth call: everything is loaded, connected and known by then. */
async function walk(root, { answer = (body) => answerFrom(root, body), ...settings }) {
  const { createResponsesProvider } = await import(pathToFileURL(join(root, 'coverage/house/index.js')).href);
  const { streamText } = await import('ai');
  const steps = [];
  const fetch = async (_url, { body }) => {
    const response = await answer(body);
    steps.push({ mark: ANSWERED });
    return response;
  };
  const provider = createResponsesProvider({
    apiKey: 'sk-none-of-anybody',
    baseURL: 'http://model.invalid/v1',
    fetch,
    ...settings,
  });
  const ask = async () => {
    const texts = [];
    const { fullStream } = streamText({
      model: provider('gpt-5'),
      prompt: 'Say hello.',
      maxRetries: 0,
      onError: () => {},
    });
    for await (const part of fullStream) {
      if (part.type === 'error' && answer !== refuse) throw part.error;
      if (part.type === 'text-delta') texts.push(part.text);
    }
    if (answer !== refuse && texts.join('') !== 'Hello there.')
      throw new Error(`The model answered ${JSON.stringify(texts)}`);
  };
  for (let warm = 0; warm < 3; warm += 1) await ask();
  steps.length = 0;
  globalThis.entered = (file, name) => steps.push({ file, name });
  await ask();
  delete globalThis.entered;
  await provider.close();
  return steps;
}

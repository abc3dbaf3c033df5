// The main job of the package, on web APIs only, for every runtime. What went over the wire is judged by the servers' side.
import { createResponsesProvider, streamText } from './sdk.mjs';

/**
 * @param {object} options
 * @param {string} options.baseURL
 * @param {string} options.mcpURL
 * @param {{ command: string, args: string[] }} options.process an MCP server as a process
 * @param {boolean} options.canStartProcesses
 * @param {boolean} options.mayCompile whether code may be made of strings
 */
export async function runJob(options) {
  const results = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      await withinTime(check(options));
      results.push({ name, ok: true });
    } catch (error) {
      results.push({ name, ok: false, error: describe(error) });
    }
  }
  return results;
}

// The warnings are looked at here.
globalThis.AI_SDK_LOG_WARNINGS = false;

const TIME_LIMIT_MS = 20_000;

/** Made where the README says: at module level, which in a Worker belongs to no request. */
const early = createResponsesProvider({
  apiKey: 'test',
  baseURL: 'http://models.invalid/v1',
  timeouts: { totalMs: TIME_LIMIT_MS },
  fetch: async () => new Response(ANSWER, { headers: { 'content-type': 'text/event-stream' } }),
});

const ANSWER = [
  { type: 'response.created', response: { id: 'resp_1', model: 'toy', created_at: 1, output: [] } },
  { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1', content: [] } },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Good morning.' },
  { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [] } },
]
  .map((event) => `data: ${JSON.stringify(event)}\n\n`)
  .join('');

const checks = {
  'a provider made at module level answers': async () => {
    expectText((await say(early, { prompt: 'Good morning.' })).text, 'Good morning.');
    expectText((await say(early, { prompt: 'Good morning.' })).text, 'Good morning.');
  },

  'the loop streams through MCP and local tools, and a second turn knows of it': (options) =>
    withProvider(inFull(options), async (provider) => {
      const messages = [{ role: 'user', content: 'Measure the pond.' }];
      const first = await say(provider, { messages });
      expectText(first.text, 'Seen: {"area":42,"unit":"ares"} and 5');
      expectText(first.warnings, '[]');
      messages.push(...first.messages, { role: 'user', content: 'And the lake?' });
      expectText((await say(provider, { messages })).text, 'Seen: nothing');
    }),

  'the live MCP client checks no result with code made of strings': (options) =>
    withProvider(inFull(options), async (provider) => {
      const client = await provider.mcpClient('pond');
      await client.listTools();
      const { structuredContent } = await client.callTool({ name: 'measure', arguments: { place: 'pond' } });
      expectText(JSON.stringify(structuredContent), '{"area":42,"unit":"ares"}');
    }),

  'a body that can only be read by a reader is enough': ({ baseURL }) =>
    withProvider({ baseURL, fetch: readerOnlyFetch }, async (provider) => {
      expectText((await say(provider, { prompt: 'By reader.' })).text, 'Seen: nothing');
    }),

  'abort ends a stream that hangs': (options) =>
    withProvider(inFull(options), async (provider) => {
      const controller = new AbortController();
      const { parts } = await watch(provider, {
        prompt: 'Hang.',
        abortSignal: controller.signal,
        onText: () => controller.abort(),
      });
      expectText(parts.at(-1), 'abort');
    }),

  'close() ends a stream that hangs, and what comes later is refused': (options) =>
    withProvider(inFull(options), async (provider) => {
      let closing = Promise.resolve();
      const { errors } = await watch(provider, { prompt: 'Hang.', onText: () => (closing = provider.close()) });
      await closing;
      expectText(errors.map((error) => error.code).join(), 'closed');
      const late = await watch(provider, { prompt: 'Too late.' });
      expectText(late.errors.map((error) => error.code).join(), 'closed');
    }),

  'an MCP server as a process runs, or the warning says what to do instead': ({
    baseURL,
    process,
    canStartProcesses,
  }) =>
    withProvider({ baseURL, mcpServers: { local: process } }, async (provider) => {
      const { text, warnings } = await say(provider, { prompt: 'Use the process.' });
      expectText(text, canStartProcesses ? 'Seen: {"area":42,"unit":"ares"}' : 'Seen: nothing');
      const isExplained = warnings.includes('Connect over HTTP');
      if (canStartProcesses ? warnings !== '[]' : !isExplained) fail(`Unexpected warnings: ${warnings}`);
    }),

  async 'code is made of strings only where that is allowed'({ mayCompile }) {
    let compiled;
    try {
      // oxlint-disable-next-line typescript/no-implied-eval -- this is what is tried
      compiled = new Function('return true')();
    } catch {
      compiled = false;
    }
    expectText(String(compiled), String(mayCompile));
  },
};

function inFull({ baseURL, mcpURL }) {
  const number = { type: 'number' };
  const inputSchema = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
  return {
    baseURL,
    mcpServers: { pond: { url: mcpURL } },
    tools: { add: { description: 'Adds two numbers.', inputSchema, execute: ({ a, b }) => a + b } },
  };
}

async function withProvider(settings, use) {
  const provider = createResponsesProvider({ apiKey: 'test', ...settings });
  try {
    await use(provider);
  } finally {
    await provider.close();
  }
}

/** A call that has to succeed. */
async function say(provider, prompt) {
  const { text, errors, result } = await watch(provider, prompt);
  if (errors.length > 0) throw errors[0];
  const { messages } = await result.response;
  return { text, messages, warnings: JSON.stringify((await result.warnings) ?? []) };
}

async function watch(provider, { onText = () => {}, ...prompt }) {
  const errors = [];
  const parts = [];
  let text = '';
  const result = streamText({
    model: provider('toy'),
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...prompt,
  });
  for await (const part of result.fullStream) {
    parts.push(part.type);
    if (part.type !== 'text-delta') continue;
    text += part.text;
    onText();
  }
  return { result, text, parts, errors };
}

/** As Tauri's and Capacitor's: a body without an async iterator, and nothing a real Response has beside it. */
async function readerOnlyFetch(url, init) {
  const response = await fetch(url, init);
  return {
    ok: response.ok,
    status: response.status,
    headers: response.headers,
    body: { getReader: () => response.body.getReader() },
  };
}

function expectText(found, wanted) {
  if (found !== wanted) fail(`Expected ${wanted}, got ${found}`);
}

function fail(message) {
  throw new Error(message);
}

function withinTime(work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not end within ${TIME_LIMIT_MS} ms.`)), TIME_LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function describe(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

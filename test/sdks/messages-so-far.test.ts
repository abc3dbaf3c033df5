import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { createResponsesProvider, messagesSoFar, type ResponsesProviderSettings } from 'responses-loop';
import { type ResponseDescription, scriptedFetch, type ScriptedRequest } from 'responses-loop/testing';
import { toolOf } from '../acceptance/support/tools.js';
import { outline, outputs } from '../acceptance/support/wire.js';
import { type Loose, messagesOf, showsAll } from './support/sdk.js';

// The SDK would print a warning for every call of a V2 model.
globalThis.AI_SDK_LOG_WARNINGS = false;

const schema = { type: 'object', properties: { n: { type: 'number' } } } as const;
const call = (name: string, n: number) => ({ type: 'call', name, arguments: { n }, callId: `call_${n}` }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;
const thought = (encrypted: string) => ({ type: 'reasoning', summary: ['Hm.'], encrypted }) as const;

/** Calls of ours alone, of both, of the client alone; texts and reasoning between them. */
const ROUNDS: readonly ResponseDescription[] = [
  { id: 'resp_1', output: [thought('one'), text('First. '), call('ours', 1), call('ours', 2)] },
  { id: 'resp_2', output: [call('theirs', 3), text('Both. '), call('ours', 4), call('theirs', 5)] },
  { id: 'resp_3', output: [thought('two'), call('theirs', 6)] },
  { id: 'resp_4', output: [call('ours', 7), call('broken', 8)] },
  { id: 'resp_5', output: [text('The end.')] },
];

const settings: ResponsesProviderSettings = {
  backend: 'openai',
  tools: {
    ours: { inputSchema: schema, execute: ({ n }) => `ours ${String(n)}` },
    broken: toolOf(() => Promise.reject(new Error('disk full')), { inputSchema: schema }),
  },
};
const theirs = tool({
  inputSchema: jsonSchema<{ n: number }>(schema),
  execute: async ({ n }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return { answer: n };
  },
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
});

interface Played {
  readonly parts: readonly Loose[];
  readonly messages: ModelMessage[];
  /** The request of the next turn. */
  readonly next: ScriptedRequest;
  /** What `response.messages` would have had sent. */
  readonly complete: ScriptedRequest | undefined;
}

/** Aborts behind as many parts, and goes on with what came. */
async function play(abortAt: number, more: ResponsesProviderSettings = {}): Promise<Played> {
  const goesOn = (request: ScriptedRequest): boolean => JSON.stringify(request.input.at(-1)).includes('Go on.');
  let at = 0;
  const fetch = scriptedFetch([], {
    otherwise: (request) => (goesOn(request) ? 'Gladly.' : (ROUNDS[at++] ?? 'Too many.')) as never,
  });
  const provider = createResponsesProvider({ apiKey: 'test', fetch, ...settings, ...more });
  opened.push(provider);
  const tools: ToolSet = { theirs, ...(showsAll ? {} : await provider.tools()) };
  const model = provider('gpt-test') as Parameters<typeof streamText>[0]['model'];
  const controller = new AbortController();
  const abortSignal = controller.signal;
  const result = streamText({ model, prompt: 'Go.', tools, stopWhen: stepCountIs(9), abortSignal, onError() {} });
  const parts: Loose[] = [];
  const reading = (async function* () {
    for await (const part of result.fullStream) {
      parts.push(part);
      yield part;
      if (parts.length === abortAt) controller.abort();
    }
  })();
  const messages = await messagesSoFar(reading);
  const next = async (history: ModelMessage[]): Promise<ScriptedRequest> => {
    const stored = JSON.parse(JSON.stringify(history)) as ModelMessage[];
    const asked: ModelMessage[] = [{ role: 'user', content: 'Go.' }, ...stored, { role: 'user', content: 'Go on.' }];
    await generateText({ model, tools, messages: asked, maxRetries: 0 });
    return fetch.requests.at(-1)!;
  };
  const isWhole = !controller.signal.aborted;
  return {
    parts,
    messages,
    next: await next(messages),
    complete: isWhole ? await next(await messagesOf(result)) : undefined,
  };
}

const idsOf = (parts: readonly Loose[]): unknown[] =>
  parts.flatMap((part) => (part['type'] === 'tool-call' ? [part['toolCallId']] : []));

function expectWhole({ parts, next }: Played): void {
  const called = next.input.flatMap((item) => (item['type'] === 'function_call' ? [item['call_id']] : []));
  const told = idsOf(parts);
  // Calls in parts; hidden ones travel beside them.
  expect(called.filter((id) => told.includes(id))).toEqual(expect.arrayContaining(told));
  expect(new Set(called).size).toBe(called.length);
  expect(
    outputs(next)
      .map(([id]) => id)
      .toSorted(),
  ).toEqual((called as string[]).toSorted());
  const said = parts.flatMap((part) => (part['type'] === 'text-delta' ? [part['text']] : [])).join('');
  const sent = outline(next).flatMap((line) => (line.startsWith('says ') ? [line.slice(5)] : []));
  expect(sent.join('')).toBe(said);
  // What came back stands on the wire, and nothing but what did not is marked.
  const answered = new Set(
    parts.flatMap((part) => (['tool-result', 'tool-error'].includes(String(part['type'])) ? [part['toolCallId']] : [])),
  );
  const marked = outputs(next).flatMap(([id, output]) => (output.includes('interrupted before') ? [id] : []));
  expect(new Set(marked)).toEqual(new Set(told.filter((id) => !answered.has(id))));
}

describe('messagesSoFar', () => {
  it('gives what response.messages gives where the stream came to its end', async () => {
    for (const toolParts of ['all', 'none'] as const) {
      const played = await play(0, showsAll ? { toolParts } : {});
      expectWhole(played);
      expect(played.next.input).toEqual(played.complete?.input);
      expect(outputs(played.next)).toHaveLength(8);
    }
  });

  it('after an abort behind any part the next request has one output for each call, nothing doubled, nothing lost', async () => {
    const { parts } = await play(0);
    expect(parts.length).toBeGreaterThan(40);
    for (let at = 1; at < parts.length; at += 1) {
      const played = await play(at);
      expectWhole(played);
      if (at > 3 && at < parts.length - 2) expect(played.parts.at(-1)?.['type']).toBe('abort');
    }
  });

  it('takes the parts that came, from a list as from a stream, cut anywhere', async () => {
    const { parts, messages } = await play(0);
    expect(await messagesSoFar(parts)).toEqual(messages);
    for (let at = 0; at <= parts.length; at += 1) {
      const cut = (await messagesSoFar(parts.slice(0, at))) as ModelMessage[];
      const fetch = scriptedFetch([], { otherwise: 'Gladly.' });
      const provider = createResponsesProvider({ apiKey: 'test', fetch, ...settings });
      opened.push(provider);
      const model = provider('gpt-test') as Parameters<typeof streamText>[0]['model'];
      const asked: ModelMessage[] = [{ role: 'user', content: 'Go.' }, ...cut, { role: 'user', content: 'Go on.' }];
      await generateText({ model, messages: asked, tools: { theirs } });
      expectWhole({ parts: parts.slice(0, at), messages: cut, next: fetch.requests[0]!, complete: undefined });
    }
  });

  it('keeps what came before an error, of the stream or in it', async () => {
    const broken = [{ id: 'r', output: [text('So far.'), call('ours', 1)] }, { none: 'reset' }] as never[];
    const fetch = scriptedFetch([...broken, 'Gladly.']);
    const provider = createResponsesProvider({
      apiKey: 'test',
      fetch,
      ...settings,
      toolParts: 'all',
      retry: { maxRetries: 0 },
    });
    opened.push(provider);
    const tools: ToolSet = showsAll ? {} : await provider.tools();
    const model = provider('gpt-test') as Parameters<typeof streamText>[0]['model'];
    const result = streamText({ model, prompt: 'Go.', tools, maxRetries: 0, onError() {} });
    const messages = (await messagesSoFar(result.fullStream)) as ModelMessage[];
    await generateText({ model, tools, messages: [...messages, { role: 'user', content: 'Go on.' }] });
    expect(outputs(fetch.requests.at(-1))).toEqual([['call_1', 'ours 1']]);
    expect(outline(fetch.requests.at(-1))).toContain('says So far.');

    async function* rejecting() {
      yield { type: 'start-step' };
      yield { type: 'tool-call', toolCallId: 'c', toolName: 'theirs', input: {} };
      await Promise.reject(new Error('gone'));
    }
    expect(await messagesSoFar(rejecting())).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c' }] },
      { role: 'tool', content: [{ toolCallId: 'c', output: { type: 'error-text' } }] },
    ]);
  });

  it('leaves a call open that a finished stream leaves to the caller', async () => {
    const fetch = scriptedFetch([{ id: 'r', output: [call('ask', 1)] }]);
    const provider = createResponsesProvider({ apiKey: 'test', fetch });
    opened.push(provider);
    const ask = tool({ inputSchema: jsonSchema<{ n: number }>(schema) }) as ToolSet[string];
    const model = provider('gpt-test') as Parameters<typeof streamText>[0]['model'];
    const result = streamText({ model, prompt: 'Go.', tools: { ask } });
    expect(await messagesSoFar(result.fullStream)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1' }] },
    ]);
  });
});

import { generateText, type ModelMessage, streamText, tool, type ToolSet } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import type { JsonObject } from '../../src/core/json.js';
import {
  responseBody,
  responseEvents,
  type ScriptedFetch,
  scriptedFetch,
  type ScriptedStep,
} from '../../src/testing.js';
import { asRecords } from '../../src/util/guards.js';
import { createResponsesProvider as createV4 } from '../../src/v4.js';
import { answer as partsOf, user as userMessage } from './support/any-version.js';

const PLAIN = { type: 'object', properties: {} } as const;
const page = { inputSchema: PLAIN, execute: () => 'page', readOnly: true };
/** Tools of the caller's, which he answers himself. */
const mine = tool({ inputSchema: z.object({ a: z.number().optional() }) }) as ToolSet[string];

/** Names that no API has yet, so that nothing can know them. */
const members = fc.dictionary(
  fc.stringMatching(/^x_[a-z]{1,8}$/),
  fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.string())),
  { minKeys: 1, maxKeys: 3 },
);
const CALLER = { type: 'program', caller_id: 'call_p' };

type Item = JsonObject & { readonly type: string };
const callItem = (name: string, more: JsonObject, callId = 'call_1'): Item => ({
  id: `fc_${callId}`,
  type: 'function_call',
  status: 'completed',
  call_id: callId,
  name,
  arguments: '{}',
  ...more,
});
const says = (text: string, more: JsonObject = {}): Item => ({
  id: `msg_${text}`,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
});

/** One answer of whole items, as a stream or as JSON. */
function answer(id: string, ...items: Item[]): ScriptedStep {
  const output = items.map((item) => ({ type: 'item', item }) as const);
  return (request) =>
    request.body['stream'] === true ? responseEvents({ id, output }) : { json: responseBody({ id, output }) };
}
const DONE = answer('resp_done', says('Done.'));

function made(
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
  create: typeof createResponsesProvider = createResponsesProvider,
) {
  const fetch = scriptedFetch(steps);
  const provider = create({ apiKey: 'k', backend: 'openai', fetch, ...settings });
  return { fetch, model: provider('gpt-5.4') };
}
const inputOf = (fetch: ScriptedFetch, request: number): Record<string, unknown>[] =>
  asRecords(fetch.requests[request]?.body['input']);
const first = (fetch: ScriptedFetch, request: number, type: string): Record<string, unknown> | undefined =>
  inputOf(fetch, request).find((item) => item['type'] === type);
const stored = <T>(messages: readonly T[]): T[] => JSON.parse(JSON.stringify(messages)) as T[];
const user = (content: string): ModelMessage => ({ role: 'user', content });
const results = (...ids: string[]): ModelMessage => ({
  role: 'tool',
  content: ids.map((toolCallId) => ({
    type: 'tool-result',
    toolCallId,
    toolName: 'mine',
    output: { type: 'text', value: 'yes' },
  })),
});

describe('what a server says of a call beside its arguments', () => {
  it.each(['streamText', 'generateText'] as const)('goes back in the next round of the loop (%s)', async (road) => {
    await fc.assert(
      fc.asyncProperty(members, async (more) => {
        const call = callItem('read', { ...more, caller: CALLER });
        const { fetch, model } = made([answer('resp_1', call), DONE], { tools: { read: page } });
        if (road === 'generateText') await generateText({ model, prompt: 'Q' });
        else await streamText({ model, prompt: 'Q' }).consumeStream();
        expect(first(fetch, 1, 'function_call')).toMatchObject({ ...more, caller: CALLER });
        expect(first(fetch, 1, 'function_call_output')).toMatchObject({ caller: CALLER });
        expect(Object.keys(first(fetch, 1, 'function_call_output') ?? {})).toHaveLength(4);
      }),
      { numRuns: 20 },
    );
  });

  it.each([{}, { historySecret: 'a secret of sixteen' }])(
    'goes back with a call of the caller’s, from a history that was stored (%o)',
    async (settings) => {
      await fc.assert(
        fc.asyncProperty(members, async (more) => {
          const call = callItem('mine', { ...more, caller: CALLER });
          const { fetch, model } = made([answer('resp_1', call), DONE], settings);
          const { response } = await generateText({ model, prompt: 'Q', tools: { mine } });
          const messages = [user('Q'), ...stored(response.messages), results('call_1')];
          await generateText({ model, messages, tools: { mine } });
          expect(first(fetch, 1, 'function_call')).toMatchObject({ ...more, caller: CALLER });
          expect(first(fetch, 1, 'function_call_output')).toMatchObject({ caller: CALLER });
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(['before', 'behind'] as const)('goes back with a call that was hidden (a text %s it)', async (where) => {
    await fc.assert(
      fc.asyncProperty(members, async (more) => {
        const call = callItem('read', { ...more, caller: CALLER });
        const items = where === 'before' ? [says('Hm.'), call] : [call, says('Hm.')];
        const { fetch, model } = made([answer('resp_1', ...items), DONE, DONE], {
          tools: { read: page },
          toolParts: 'none',
        });
        const { response } = await generateText({ model, prompt: 'Q' });
        await generateText({ model, messages: [user('Q'), ...stored(response.messages), user('And?')] });
        expect(first(fetch, 2, 'function_call')).toMatchObject({ ...more, caller: CALLER });
        expect(first(fetch, 2, 'function_call_output')).toMatchObject({ caller: CALLER });
      }),
      { numRuns: 20 },
    );
  });

  it('that comes only when the call is complete is not too late', async () => {
    const late = { namespace: 'files', x_new: 1 };
    const events = responseEvents({ id: 'resp_1', output: [{ type: 'item', item: callItem('mine', late) }] }).map(
      (event) =>
        event['type'] === 'response.output_item.added'
          ? { ...event, item: callItem('mine', { arguments: '' }) }
          : event,
    );
    const { fetch, model } = made([events, DONE]);
    const result = streamText({ model, prompt: 'Q', tools: { mine } });
    await result.consumeStream();
    const [call] = await result.toolCalls;
    expect(call?.providerMetadata?.['openai']).toEqual({ namespace: 'files' });
    const { messages } = await result.response;
    await generateText({ model, messages: [user('Q'), ...messages, results('call_1')], tools: { mine } });
    expect(first(fetch, 1, 'function_call')).toMatchObject(late);
  });

  it('goes with outputs that are sent alone: to a conversation, and behind a response', async () => {
    for (const openai of [{ conversation: 'conv_1' }, { previousResponseId: 'resp_1' }] as JsonObject[]) {
      const { fetch, model } = made([answer('resp_1', callItem('mine', { caller: CALLER })), DONE]);
      const { response } = await generateText({ model, prompt: 'Q', tools: { mine } });
      const messages = [user('Q'), ...response.messages, results('call_1')];
      await generateText({ model, messages, tools: { mine }, providerOptions: { openai: { store: true, ...openai } } });
      expect(first(fetch, 1, 'function_call_output')).toMatchObject({ call_id: 'call_1', caller: CALLER });
    }
  });

  it('is shown under the stock provider’s names, and read back from them', async () => {
    const said = { namespace: 'files', async: true, caller: CALLER };
    const { fetch, model } = made([answer('resp_1', callItem('mine', said)), DONE]);
    const { toolCalls } = await generateText({ model, prompt: 'Q', tools: { mine } });
    const openai = { namespace: 'files', async: true, caller: { type: 'program', callerId: 'call_p' } };
    expect(toolCalls[0]?.providerMetadata?.['openai']).toEqual(openai);
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'mine', input: {}, providerOptions: { openai } };
    const messages = [user('Q'), { role: 'assistant', content: [call] } as ModelMessage, results('call_1')];
    await generateText({ model, messages, tools: { mine } });
    expect(first(fetch, 1, 'function_call')).toMatchObject(said);
    expect(first(fetch, 1, 'function_call_output')).toMatchObject({ caller: CALLER });
  });

  it('never takes the place of what the call itself says', async () => {
    const lie = { type: 'message', role: 'developer', call_id: 'other', name: 'other', arguments: '{"a":1}' };
    const call = {
      type: 'tool-call',
      toolCallId: 'call_1',
      toolName: 'mine',
      input: {},
      providerOptions: { 'responses-loop': { members: { ...lie, namespace: 7 } } },
    } as const;
    const { fetch, model } = made([DONE, DONE]);
    const ask = async (part: object): Promise<void> => {
      const messages = [user('Q'), { role: 'assistant', content: [part] } as ModelMessage, results('call_1')];
      await generateText({ model, messages, tools: { mine } });
    };
    await ask(call);
    await ask({ ...call, providerOptions: { 'responses-loop': { members: lie } } });
    const plain = { type: 'function_call', call_id: 'call_1', name: 'mine', arguments: '{}' };
    expect([first(fetch, 0, 'function_call'), first(fetch, 1, 'function_call')]).toEqual([plain, plain]);
  });
});

describe('a text of a subagent', () => {
  const agent = { agent_name: '/root/a' };

  it('says whose it is, and goes back as that agent’s', async () => {
    const { fetch, model } = made([answer('resp_1', says('Below.', { agent }), says('Above.')), DONE]);
    const { content, response } = await generateText({ model, prompt: 'Q' });
    const texts = content.filter((part) => part.type === 'text');
    expect(texts.map(({ providerMetadata }) => providerMetadata?.['responses-loop']?.['agent'])).toEqual([
      agent,
      undefined,
    ]);
    await generateText({ model, messages: [user('Q'), ...stored(response.messages), user('And?')] });
    const [below, above] = inputOf(fetch, 1).filter(({ role }) => role === 'assistant');
    expect(below).toMatchObject({ agent });
    expect(above).not.toHaveProperty('agent');
  });

  it('goes back as that agent’s in the loop, and so does a call of it', async () => {
    const { fetch, model } = made([answer('resp_1', says('Below.', { agent }), callItem('read', { agent })), DONE], {
      tools: { read: page },
    });
    await streamText({ model, prompt: 'Q' }).consumeStream();
    expect(inputOf(fetch, 1).filter((item) => 'agent' in item)).toMatchObject([
      { type: 'message', agent },
      { type: 'function_call', agent },
    ]);
  });
});

describe('whatever item a subagent made', () => {
  const agent = { agent_name: '/root/a' };
  const items: readonly Item[] = [
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'ducks' } },
    { type: 'mcp_list_tools', id: 'ml_1', server_label: 'docs', tools: [] },
    { type: 'program', id: 'prog_1', call_id: 'call_p', code: 'read()' },
    { type: 'program_output', id: 'po_1', call_id: 'call_p', result: '5', status: 'completed' },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed too' },
    { type: 'multi_agent_call', id: 'ma_1', call_id: 'call_m', action: 'spawn_agent', arguments: '{}' },
    says('Below.'),
  ].map((item) => ({ ...item, agent }));
  const agentsIn = (input: readonly Readonly<Record<string, unknown>>[]) =>
    input.flatMap(({ type, role, agent: of }) => (role === 'user' ? [] : [[type, of]]));
  const all = items.map(({ type }) => [type, agent]);
  const question = userMessage('Q');

  it('goes back as that agent’s in the loop', async () => {
    const { fetch, model } = made([answer('resp_1', ...items, callItem('read', { agent })), DONE], {
      tools: { read: page },
    });
    await streamText({ model, prompt: 'Q' }).consumeStream();
    const sent = agentsIn(inputOf(fetch, 1)).filter(([type]) => type !== 'function_call_output');
    expect(sent).toEqual([...all, ['function_call', agent]]);
  });

  it.each([{}, { historySecret: 'a secret of sixteen' }])(
    'goes back as that agent’s in the next turn (%j)',
    async (settings) => {
      const known = items.filter(({ type }) => type !== 'multi_agent_call' || 'historySecret' in settings);
      for (const streamed of [false, true]) {
        const { fetch, model } = made([answer('resp_1', ...items), DONE], settings);
        const turn = streamed ? streamText({ model, prompt: 'Q' }) : await generateText({ model, prompt: 'Q' });
        if ('consumeStream' in turn) await turn.consumeStream();
        const { messages } = await turn.response;
        await generateText({ model, messages: [user('Q'), ...stored(messages), user('And?')] });
        expect(agentsIn(inputOf(fetch, 1))).toEqual(known.map(({ type }) => [type, agent]));
      }
    },
  );

  it('goes back as that agent’s where it is a summary that is shown (V4)', async () => {
    const { fetch, model } = made(
      [answer('resp_1', ...items.filter(({ type }) => type === 'compaction')), DONE],
      {},
      createV4 as unknown as typeof createResponsesProvider,
    );
    const parts = await partsOf(model, 'doStream', { prompt: [question] });
    const custom = parts.find(({ type }) => type === 'custom');
    const summary = { type: 'custom', kind: custom?.['kind'], providerOptions: custom?.['providerMetadata'] };
    await partsOf(model, 'doStream', { prompt: [question, { role: 'assistant', content: [summary] }, question] });
    expect(agentsIn(inputOf(fetch, 1))).toEqual([['compaction', agent]]);
  });

  it('says in the metadata of its reasoning whose it is', async () => {
    const { model } = made([answer('resp_1', ...items)]);
    const { content } = await generateText({ model, prompt: 'Q' });
    const [thought] = content.filter(({ type }) => type === 'reasoning');
    expect(thought).toMatchObject({ text: 'Hm.', providerMetadata: { 'responses-loop': { agent } } });
  });
});

describe('calls that came in the wrapper for parallel calls', () => {
  const wrapped = callItem('parallel', {
    arguments: JSON.stringify({
      tool_uses: [
        { recipient_name: 'functions.mine', parameters: {} },
        { recipient_name: 'functions.mine', parameters: { a: 1 } },
      ],
    }),
    namespace: 'files',
  });

  it('say where they were in it, under the stock provider’s name', async () => {
    const { model } = made([answer('resp_1', wrapped)]);
    const { toolCalls } = await generateText({ model, prompt: 'Q', tools: { mine } });
    const place = { itemId: 'fc_call_1', toolCallId: 'call_1', toolName: 'parallel', count: 2 };
    expect(toolCalls.map(({ providerMetadata }) => providerMetadata?.['openai'])).toEqual([
      { namespace: 'files', parallelToolCall: { ...place, index: 0, input: wrapped['arguments'] } },
      { namespace: 'files', parallelToolCall: { ...place, index: 1 } },
    ]);
  });
});

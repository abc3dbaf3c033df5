import type { LanguageModelV2 } from '@ai-sdk/provider';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { createResponsesProvider, type ResponsesProviderV2 } from 'responses-loop';
import { responseEvents } from 'responses-loop/testing';
import {
  brokenRules,
  finishOf,
  partsOf,
  roundsOf,
  shape,
  streamParts,
  userPrompt,
} from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';

const twoRounds = [
  reply({
    id: 'resp_1',
    output: [
      { type: 'reasoning', summary: ['Adding.'], encrypted: 'sealed' },
      { type: 'text', text: 'Let me add.', phase: 'commentary' },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_1' },
    ],
  }),
  reply(says('resp_2', 'Five.')),
];

describe('a V2 model', () => {
  it('is what the provider makes, by every name it has', () => {
    expectTypeOf<ReturnType<ResponsesProviderV2>>().toExtend<LanguageModelV2>();
    const provider = createResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    const models = [provider('m'), provider.languageModel('m'), provider.responses('m')];
    for (const model of models) {
      expect(model).toMatchObject({ specificationVersion: 'v2', modelId: 'm', provider: 'responses-loop' });
      expect(model.provider.endsWith('.responses')).toBe(false);
    }
  });

  it('gives both rounds as one stream: one start, one finish, every part closed, in the order they came', async () => {
    const { add } = adder();
    const { model } = await rig(twoRounds, { tools: { add }, toolParts: 'all' });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(shape(parts)).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      // Held back until it is known whether hidden calls have to travel on it.
      'text-end',
      'tool-result',
      'response-metadata',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
  });

  it('marks call and result of a loop tool as run by the provider and dynamic, and gives the input as JSON', async () => {
    const { add } = adder();
    const { model } = await rig(twoRounds, { tools: { add }, toolParts: 'all' });
    const parts = await streamParts(model);
    const flags = { providerExecuted: true, dynamic: true };
    expect(partsOf(parts, 'tool-input-start')).toMatchObject([{ id: 'call_1', toolName: 'add', ...flags }]);
    expect(partsOf(parts, 'tool-call')).toMatchObject([
      { toolCallId: 'call_1', toolName: 'add', input: '{"a":2,"b":3}', ...flags },
    ]);
    expect(partsOf(parts, 'tool-result')).toEqual([
      { type: 'tool-result', toolCallId: 'call_1', toolName: 'add', result: '5', ...flags },
    ]);
  });

  it.each([
    ['no JSON', '{"a": 2,', '{}', '{"a": 2,'],
    ['nothing', '', '{}', ''],
    ['plain', '{"a":2,"b":3}', '{"a":2,"b":3}', undefined],
    ['spaced', '{ "a": 2, "b": 3 }', '{"a":2,"b":3}', '{ "a": 2, "b": 3 }'],
  ])(
    'a loop tool’s call has valid JSON input even when the model wrote %s; what it wrote otherwise is in the metadata',
    async (_name, written, input, rawInput) => {
      const { add } = adder();
      const { model } = await rig([reply(calls('resp_1', ['add', written, 'call_1'])), reply(says('resp_2', 'Hm.'))], {
        tools: { add },
        toolParts: 'all',
      });
      const [call] = partsOf(await streamParts(model), 'tool-call');
      expect(call?.input).toBe(input);
      expect(call?.providerMetadata?.['responses-loop']?.['rawInput']).toBe(rawInput);
    },
  );

  it('a failed tool’s result says isError; structured values come as they are', async () => {
    const broken = toolOf(() => Promise.reject(new Error('no')));
    const find = toolOf(() => ({ ducks: 3 }));
    const { model } = await rig([reply(calls('resp_1', ['broken', {}], ['find', {}])), reply(says('resp_2', 'Hm.'))], {
      tools: { broken, find },
      toolParts: 'all',
    });
    expect(partsOf(await streamParts(model), 'tool-result')).toMatchObject([
      { result: 'no', isError: true },
      { result: { ducks: 3 } },
    ]);
  });

  it.each(['declared', 'none'] as const)(
    'toolParts %s emits nothing of a loop tool that the call does not declare',
    async (toolParts) => {
      const { add } = adder();
      const { model } = await rig(twoRounds, { tools: { add }, toolParts });
      const parts = await streamParts(model);
      expect(parts.filter((part) => part.type.startsWith('tool-'))).toEqual([]);
      expect(brokenRules(parts)).toEqual([]);
    },
  );

  it('every round announces its response, and the finish metadata lists them all with usage and calls', async () => {
    const { add } = adder();
    const { model } = await rig(twoRounds, { tools: { add } });
    const parts = await streamParts(model);
    expect(partsOf(parts, 'response-metadata').map((part) => [part.id, part.modelId])).toEqual([
      ['resp_1', 'gpt-test'],
      ['resp_2', 'gpt-test'],
    ]);
    expect(roundsOf(parts)).toMatchObject([
      {
        responseId: 'resp_1',
        finishReason: 'tool-calls',
        usage: { inputTokens: 10, outputTokens: 5 },
        calls: [{ callId: 'call_1', name: 'add', origin: 'loop', isError: false }],
      },
      { responseId: 'resp_2', finishReason: 'stop', usage: { inputTokens: 10, outputTokens: 5 }, calls: [] },
    ]);
    expect(finishOf(parts).providerMetadata?.['openai']).toMatchObject({
      responseId: 'resp_2',
      serviceTier: 'default',
    });
  });

  it('the item id of a part is stable, and under openai only for items that the server stores', async () => {
    const { model } = await rig([reply(says('resp_1', 'Hello.')), reply(says('resp_1', 'Hello.'))]);
    const end = async (store: boolean): Promise<unknown> =>
      partsOf(await streamParts(model, { providerOptions: { openai: { store } } }), 'text-end')[0]?.providerMetadata;
    expect(await end(false)).toEqual({ 'responses-loop': { itemId: 'msg_1_0' } });
    expect(await end(true)).toMatchObject({ 'responses-loop': { itemId: 'msg_1_0' }, openai: { itemId: 'msg_1_0' } });
  });

  it('usage is summed over the rounds; a number that no round reported stays undefined', async () => {
    const { add } = adder();
    const { model } = await rig(
      [
        reply({
          ...calls('resp_1', ['add', { a: 1, b: 1 }]),
          usage: { input_tokens: 7, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1 } },
        }),
        reply({ ...calls('resp_2', ['add', { a: 1, b: 1 }]), usage: null }),
        reply({
          ...says('resp_3', 'Two.'),
          usage: { input_tokens: 9, output_tokens: 3, output_tokens_details: { reasoning_tokens: 2 } },
        }),
      ],
      { tools: { add } },
    );
    const { usage } = finishOf(await streamParts(model));
    expect(usage).toMatchObject({ inputTokens: 16, outputTokens: 5, reasoningTokens: 3 });
    expect(usage.cachedInputTokens).toBeUndefined();
  });

  it('without any usage all numbers are undefined, never 0', async () => {
    const { model } = await rig([reply({ ...says('resp_1', 'Hello.'), usage: null })]);
    expect(finishOf(await streamParts(model)).usage).toEqual({
      inputTokens: undefined,
      outputTokens: undefined,
      totalTokens: undefined,
    });
  });

  it('includeRawChunks adds every event as it came, in front of what it became', async () => {
    const events = responseEvents(says('resp_1', 'Hi.'));
    const { model } = await rig([events, events]);
    const parts = await streamParts(model, { includeRawChunks: true });
    expect(partsOf(parts, 'raw').map((part) => part.rawValue)).toEqual(events);
    expect(brokenRules(parts)).toEqual([]);
    expect(parts.filter((part) => part.type !== 'raw')).toEqual(await streamParts(model));
    const at = parts.findIndex((part) => part.type === 'text-delta');
    expect(parts.slice(0, at).findLast((part) => part.type === 'raw')).toMatchObject({
      type: 'raw',
      rawValue: { type: 'response.output_text.delta' },
    });
  });

  it('gives the request as it was sent and the headers of the answer, for result.request and result.response', async () => {
    const { model, requests } = await rig([
      { events: responseEvents(says('resp_1', 'Hi.')), headers: { 'x-request-id': 'req_1' } },
    ]);
    const { request, response, stream } = await model.doStream({ prompt: userPrompt() });
    await stream.cancel();
    expect(request?.body).toEqual(requests[0]?.body);
    expect(response?.headers).toMatchObject({ 'x-request-id': 'req_1' });
  });
});

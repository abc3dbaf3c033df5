import type { LanguageModelV3, ProviderV3 } from '@ai-sdk/provider';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider, type ResponsesProviderV3 } from 'responses-loop/v3';
import { errorReply, type ResponseDescription, type ScriptedStep } from 'responses-loop/testing';
import { brokenRules, finishOf, partsOf, shape, streamParts, userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rigOf, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';

const rig = (steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}) =>
  rigOf(createResponsesProvider, steps, settings);

type Usage = Exclude<ResponseDescription['usage'], undefined>;

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const twoRounds = [
  reply({
    id: 'resp_1',
    output: [
      { type: 'text', text: 'Let me add.' },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_1' },
    ],
  }),
  reply(says('resp_2', 'Five.')),
];

describe('a V3 model', () => {
  it('is what the provider makes, by every name it has', () => {
    expectTypeOf<ReturnType<ResponsesProviderV3>>().toExtend<LanguageModelV3>();
    expectTypeOf<ResponsesProviderV3>().toExtend<ProviderV3>();
    const provider = createResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    expect(provider.specificationVersion).toBe('v3');
    for (const model of [provider('m'), provider.languageModel('m'), provider.responses('m')])
      expect(model).toMatchObject({ specificationVersion: 'v3', modelId: 'm', provider: 'responses-loop' });
  });

  it('refuses models of other kinds the way registries understand', () => {
    const provider = createResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    for (const kind of ['embeddingModel', 'imageModel'] as const)
      expect(() => provider[kind]('m')).toThrow(
        expect.objectContaining({ name: 'AI_NoSuchModelError', modelType: kind, modelId: 'm' }),
      );
  });

  it('shows every loop tool without being asked, run by the provider and dynamic', async () => {
    const { add } = adder();
    const { model } = await rig(twoRounds, { tools: { add } });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(shape(parts).filter((type) => type.startsWith('tool-'))).toEqual([
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'tool-result',
    ]);
    const flags = { providerExecuted: true, dynamic: true };
    expect(partsOf(parts, 'tool-input-start')).toMatchObject([{ id: 'call_1', toolName: 'add', ...flags }]);
    expect(partsOf(parts, 'tool-call')).toMatchObject([{ toolCallId: 'call_1', input: '{"a":2,"b":3}', ...flags }]);
    expect(partsOf(parts, 'tool-result')).toMatchObject([{ toolCallId: 'call_1', result: '5', dynamic: true }]);
  });

  it('shows nothing of them with toolParts none', async () => {
    const { add } = adder();
    const { model } = await rig(twoRounds, { tools: { add }, toolParts: 'none' });
    expect(shape(await streamParts(model)).filter((type) => type.startsWith('tool-'))).toEqual([]);
  });

  it('leaves calls of the caller’s own tools to the caller', async () => {
    const { model } = await rig([reply(calls('resp_1', ['ask', { q: 1 }, 'call_1']))]);
    const tools = [{ type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } }];
    const parts = await streamParts(model, { tools });
    const told = [...partsOf(parts, 'tool-input-start'), ...partsOf(parts, 'tool-call')];
    expect(told).toMatchObject([{ id: 'call_1' }, { toolCallId: 'call_1', input: '{"q":1}' }]);
    expect(told.flatMap((part) => [part.toolName, part.providerExecuted, part.dynamic])).toEqual([
      ...['ask', undefined, undefined],
      ...['ask', undefined, undefined],
    ]);
  });

  it('shows a tool of the server the same way', async () => {
    const search = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'ducks' },
    };
    const { model } = await rig([
      reply({
        output: [
          { type: 'item', item: search },
          { type: 'text', text: 'Ducks.' },
        ],
      }),
    ]);
    const parts = await streamParts(model);
    const flags = { toolName: 'web_search', dynamic: true };
    expect(partsOf(parts, 'tool-call')).toMatchObject([{ ...flags, providerExecuted: true }]);
    expect(partsOf(parts, 'tool-result')).toMatchObject([{ ...flags, result: { status: 'completed' } }]);
  });

  it('asks for leave where the server does, behind the call it asks for', async () => {
    const asks = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'pond', name: 'drain', arguments: '{}' };
    const { model } = await rig([reply({ output: [{ type: 'item', item: asks }] })]);
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-approval-request')).toEqual([
      { type: 'tool-approval-request', approvalId: 'mcpr_1', toolCallId: 'mcpr_1' },
    ]);
    expect(shape(parts).filter((type) => type.startsWith('tool-'))).toEqual(['tool-call', 'tool-approval-request']);
    expect(partsOf(parts, 'tool-call')).toMatchObject([{ toolCallId: 'mcpr_1', providerExecuted: true }]);
  });

  it('gives every result as JSON that is not null: values as they are, failures marked, the text where there is no value', async () => {
    const tools = {
      broken: toolOf(() => Promise.reject(new Error('no'))),
      find: toolOf(() => ({ ducks: 3 })),
      nothing: toolOf(() => null),
      silent: toolOf(() => undefined),
    };
    const made = calls('resp_1', ['broken', {}], ['find', {}], ['nothing', {}], ['silent', {}]);
    const { model, requests } = await rig([reply(made), reply(says('resp_2', 'Hm.'))], { tools });
    const results = partsOf(await streamParts(model), 'tool-result');
    const sent = requests[1]?.input.flatMap((item) =>
      item['type'] === 'function_call_output' ? [item['output']] : [],
    );
    expect(results.map(({ result, isError }) => [result, isError])).toEqual([
      ['no', true],
      [{ ducks: 3 }, undefined],
      [sent?.[2], undefined],
      [sent?.[3], undefined],
    ]);
    expect(results.some(({ result }) => result === null || result === undefined)).toBe(false);
    expect(results.some((part) => 'preliminary' in part)).toBe(false);
  });

  it.each([
    ['a picture', { type: 'image', data: PIXEL, mimeType: 'image/png' }, { type: 'image-data', data: PIXEL }],
    [
      'a sound',
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'file-data', mediaType: 'audio/wav', data: 'UklGRg==' },
    ],
  ])('tells %s in a result in the words of V3', async (_name, content, told) => {
    const photo = toolOf(() => ({ content: [{ type: 'text', text: 'Here:' }, content] }));
    const { model } = await rig([reply(calls('resp_1', ['photo', {}])), reply(says('resp_2', 'Nice.'))], {
      tools: { photo },
    });
    expect(partsOf(await streamParts(model), 'tool-result')).toMatchObject([
      { result: { type: 'content', value: [{ type: 'text', text: 'Here:' }, told] } },
    ]);
  });

  it('gives a file the model made as base64', async () => {
    const made = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PIXEL };
    const { model } = await rig([reply({ output: [{ type: 'item', item: made }] })]);
    expect(partsOf(await streamParts(model), 'file')).toEqual([{ type: 'file', mediaType: 'image/png', data: PIXEL }]);
  });

  it.each([
    ['completed', {}, { unified: 'stop', raw: 'completed' }],
    [
      'max_output_tokens',
      { status: 'incomplete', incompleteReason: 'max_output_tokens' },
      { unified: 'length', raw: 'max_output_tokens' },
    ],
  ] as const)('tells why it ended in both words: %s', async (_name, ending, expected) => {
    const { model } = await rig([reply({ ...says('resp_1', 'Half a'), ...ending })]);
    expect(finishOf(await streamParts(model)).finishReason).toEqual(expected);
  });

  it('has no word of the server for a failure behind a round that was completed', async () => {
    const { add } = adder();
    const failing = Array.from({ length: 3 }, () => errorReply({ status: 500 }));
    const { model } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), ...failing], {
      tools: { add },
      retry: { initialDelayMs: 1 },
    });
    expect(finishOf(await streamParts(model)).finishReason).toEqual({ unified: 'error', raw: undefined });
  });

  it('tells no time that the server cannot have meant', async () => {
    const { model } = await rig([reply({ ...says('resp_1', 'Hi.'), createdAt: 1_763_750_000_000_000_000 })]);
    const [response] = partsOf(await streamParts(model), 'response-metadata');
    expect(response).toMatchObject({ id: 'resp_1' });
    expect(response).not.toHaveProperty('timestamp');
  });
});

describe('the usage of a V3 model', () => {
  const usageOf = async (...usages: readonly Usage[]) => {
    const { add } = adder();
    const steps = usages.map((usage, at) =>
      reply({
        ...(at === usages.length - 1 ? says(`resp_${at}`, 'Two.') : calls(`resp_${at}`, ['add', { a: 1, b: at }])),
        usage,
      }),
    );
    const { model } = await rig(steps, { tools: { add } });
    return finishOf(await streamParts(model)).usage;
  };

  it('says what was read from the cache, written to it, and neither, and what was thought', async () => {
    const wire = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 15 },
      total_tokens: 120,
    };
    expect(await usageOf(wire)).toEqual({
      inputTokens: { total: 100, noCache: 10, cacheRead: 60, cacheWrite: 30 },
      outputTokens: { total: 20, text: 5, reasoning: 15 },
      raw: wire,
    });
  });

  it('makes nothing up: what the server does not say is undefined', async () => {
    const nothing = {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
    expect(await usageOf(null)).toEqual(nothing);
    expect(await usageOf({ input_tokens: 7, output_tokens: 2 })).toEqual({
      inputTokens: { ...nothing.inputTokens, total: 7 },
      outputTokens: { ...nothing.outputTokens, total: 2 },
      raw: { input_tokens: 7, output_tokens: 2 },
    });
  });

  it('knows nothing of the rest where a server counts what was cached apart', async () => {
    const usage = await usageOf({ input_tokens: 10, input_tokens_details: { cached_tokens: 50 }, output_tokens: 1 });
    expect(usage.inputTokens).toMatchObject({ total: 10, noCache: undefined, cacheRead: 50 });
  });

  it.each([
    [{ input_tokens: 100, input_tokens_details: { cached_tokens: 50 } }, { input_tokens: 100 }],
    [{ input_tokens: 100 }, { input_tokens: 100, input_tokens_details: { cached_tokens: 50 } }],
    [
      { input_tokens: 10, input_tokens_details: { cached_tokens: 50 } },
      { input_tokens: 100, input_tokens_details: { cached_tokens: 0 } },
    ],
  ])('knows nothing of the rest where one round does not tell it (%#)', async (...rounds) => {
    const { inputTokens } = await usageOf(...rounds.map((round) => ({ ...round, output_tokens: 1 })));
    expect(inputTokens.noCache).toBeUndefined();
  });

  it('is summed over the rounds, the raw numbers member by member', async () => {
    const usage = await usageOf(
      { input_tokens: 7, output_tokens: 2, output_tokens_details: { reasoning_tokens: 1, drafts: 1 }, tier: 'a' },
      null,
      { input_tokens: 9, output_tokens: 3, output_tokens_details: { reasoning_tokens: 2 }, tier: 'b', cost: 0.5 },
    );
    expect(usage).toMatchObject({ inputTokens: { total: 16 }, outputTokens: { total: 5, text: 2, reasoning: 3 } });
    expect(usage.raw).toEqual({
      input_tokens: 16,
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 3, drafts: 1 },
      tier: 'b',
      cost: 0.5,
    });
  });
});

describe('generating with a V3 model', () => {
  it('gives what streaming gives: content, usage, finish reason, metadata, response', async () => {
    const { add } = adder();
    const streamed = await rig(twoRounds, { tools: { add } });
    const generated = await rig(twoRounds, { tools: { add } });
    const parts = await streamParts(streamed.model);
    const result = await generated.model.doGenerate({ prompt: userPrompt() });
    const { type: _type, ...ending } = finishOf(parts);
    expect(result).toMatchObject(ending);
    expect(result.content.map((part) => part.type)).toEqual(['text', 'tool-call', 'tool-result', 'text']);
    expect(result.content.filter((part) => part.type.startsWith('tool-'))).toEqual([
      ...partsOf(parts, 'tool-call'),
      ...partsOf(parts, 'tool-result'),
    ]);
    expect(result).toMatchObject({ response: { id: 'resp_2', modelId: 'gpt-test' }, warnings: [] });
    expect(result.request.body).toEqual(generated.requests[0]?.body);
  });

  it('tells what could not be sent as a warning every version prints', async () => {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'hologram' }] }];
    const { model } = await rig([reply(says('resp_1', 'Hi.')), reply(says('resp_1', 'Hi.'))]);
    const warnings = [{ type: 'other', message: expect.stringContaining('hologram') as string }];
    expect((await model.doGenerate({ prompt })).warnings).toEqual(warnings);
    expect((await streamParts(model, { prompt }))[0]).toEqual({ type: 'stream-start', warnings });
  });
});

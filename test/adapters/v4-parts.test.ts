import type { LanguageModelV4, ProviderV4 } from '@ai-sdk/provider';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider, type ResponsesProviderV4 } from 'responses-loop/v4';
import { errorEvent, responseEvents, type ScriptedStep } from 'responses-loop/testing';
import {
  brokenRules,
  type CallOptions,
  finishOf,
  partsOf,
  readAll,
  shape,
  streamParts,
  userPrompt,
} from '../acceptance/support/parts.js';
import { calls, reply, rigOf, says, splitBefore } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { itemsOfType, outline } from '../acceptance/support/wire.js';

const rig = (steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}) =>
  rigOf(createResponsesProvider, steps, settings);

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const hello = reply(says('resp_1', 'Hello.'));

describe('a V4 model', () => {
  it('is what the provider makes, by every name it has', () => {
    expectTypeOf<ReturnType<ResponsesProviderV4>>().toExtend<LanguageModelV4>();
    expectTypeOf<ResponsesProviderV4>().toExtend<ProviderV4>();
    const provider = createResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    expect(provider.specificationVersion).toBe('v4');
    for (const model of [provider('m'), provider.languageModel('m'), provider.responses('m')])
      expect(model).toMatchObject({ specificationVersion: 'v4', modelId: 'm', provider: 'responses-loop' });
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
    const made = reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1']));
    const { model } = await rig([made, reply(says('resp_2', 'Five.'))], { tools: { add } });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    const flags = { toolName: 'add', providerExecuted: true, dynamic: true };
    expect(partsOf(parts, 'tool-input-start')).toMatchObject([{ id: 'call_1', ...flags }]);
    expect(partsOf(parts, 'tool-call')).toMatchObject([{ toolCallId: 'call_1', ...flags }]);
    expect(partsOf(parts, 'tool-result')).toMatchObject([{ toolCallId: 'call_1', result: '5', dynamic: true }]);
  });

  it('asks for leave where the server does', async () => {
    const asks = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'pond', name: 'drain', arguments: '{}' };
    const { model } = await rig([reply({ output: [{ type: 'item', item: asks }] })]);
    expect(partsOf(await streamParts(model), 'tool-approval-request')).toEqual([
      { type: 'tool-approval-request', approvalId: 'mcpr_1', toolCallId: 'mcpr_1' },
    ]);
  });

  it('tells files in a result in the words of V4, and null as the text the model was given', async () => {
    const tools = {
      photo: toolOf(() => ({
        content: [
          { type: 'text', text: 'A duck:' },
          { type: 'image', data: PIXEL, mimeType: 'image/png' },
        ],
      })),
      nothing: toolOf(() => null),
    };
    const { model } = await rig([reply(calls('resp_1', ['photo', {}], ['nothing', {}])), hello], { tools });
    const told = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } };
    expect(partsOf(await streamParts(model), 'tool-result').map(({ result }) => result)).toEqual([
      { type: 'content', value: [{ type: 'text', text: 'A duck:' }, told] },
      'null',
    ]);
  });

  it('gives a file the model made as tagged data, in both roads', async () => {
    const made = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PIXEL };
    const { model } = await rig([
      reply({ output: [{ type: 'item', item: made }] }),
      reply({ output: [{ type: 'item', item: made }] }),
    ]);
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } };
    expect(partsOf(await streamParts(model), 'file')).toEqual([file]);
    expect((await model.doGenerate({ prompt: userPrompt() })).content).toContainEqual(file);
  });

  it('tells why it ended in both words, and usage by kind', async () => {
    const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 3 };
    const { model } = await rig([
      reply({ ...says('resp_1', 'Half a'), status: 'incomplete', incompleteReason: 'max_output_tokens', usage }),
    ]);
    expect(finishOf(await streamParts(model))).toMatchObject({
      finishReason: { unified: 'length', raw: 'max_output_tokens' },
      usage: {
        inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
        outputTokens: { total: 3, text: undefined, reasoning: undefined },
        raw: usage,
      },
    });
  });
});

describe('a compaction by the server', () => {
  const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' };
  const steps = [
    reply({
      output: [
        { type: 'item', item },
        { type: 'text', text: 'Hello.' },
      ],
    }),
  ];

  it('is a custom part where it stood, as the stock provider tells it, and travels in no carrier', async () => {
    const { model } = await rig(steps);
    const parts = await streamParts(model);
    expect(shape(parts).slice(2, 4)).toEqual(['custom', 'text-start']);
    expect(partsOf(parts, 'custom')).toEqual([
      {
        type: 'custom',
        kind: 'openai.compaction',
        providerMetadata: {
          openai: { type: 'compaction', encryptedContent: 'sealed' },
          'responses-loop': { itemId: 'cmp_1' },
        },
      },
    ]);
    expect(JSON.stringify(parts)).not.toContain('carrier');
  });

  it('stands behind the calls that came before it', async () => {
    const call = { type: 'call', name: 'add', arguments: { a: 1, b: 1 } } as const;
    const { model } = await rig([reply({ output: [call, { type: 'item', item }] }), reply(says('resp_2', 'Two.'))], {
      tools: { add: adder().add },
    });
    const { content } = await model.doGenerate({ prompt: userPrompt() });
    expect(content.map((part) => part.type)).toEqual(['tool-call', 'custom', 'tool-result', 'text']);
  });

  it('has the item’s id under openai only if the server stores it', async () => {
    const { model } = await rig(steps);
    const { content } = await model.doGenerate({ prompt: userPrompt(), providerOptions: { openai: { store: true } } });
    expect(content[0]).toMatchObject({ type: 'custom', providerMetadata: { openai: { itemId: 'cmp_1' } } });
  });
});

describe('the reasoning option of V4', () => {
  const effortFor = async (options: Partial<CallOptions>): Promise<unknown> => {
    const { model, requests } = await rig([hello]);
    await streamParts(model, options);
    return requests[0]?.body['reasoning'];
  };

  it.each(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])('%s is the effort', async (reasoning) => {
    expect(await effortFor({ reasoning })).toMatchObject({ effort: reasoning });
  });

  it.each(['provider-default', undefined])('%s says nothing', async (reasoning) => {
    expect(await effortFor({ reasoning })).toBeUndefined();
  });

  it.each(['openai', 'responses-loop'])('gives way to an effort under %s', async (key) => {
    const providerOptions = { [key]: { reasoningEffort: 'high' } };
    expect(await effortFor({ reasoning: 'low', providerOptions })).toMatchObject({ effort: 'high' });
  });
});

describe('a prompt of V4', () => {
  const assistantSaid = (...content: readonly object[]) => [
    ...userPrompt('Hi'),
    { role: 'assistant', content: [...content, { type: 'text', text: 'Hello.' }] },
    ...userPrompt('And?'),
  ];

  async function sent(prompt: readonly unknown[]) {
    const { model, requests } = await rig([hello]);
    const { warnings } = await model.doGenerate({ prompt });
    return {
      request: requests[0],
      warnings: warnings.map((warning) => ('message' in warning ? warning.message : warning.details)),
    };
  }

  it('gives a compaction of the stock provider back as the item it was', async () => {
    const openai = { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'sealed' };
    const part = { type: 'custom', kind: 'openai.compaction', providerOptions: { openai } };
    const { request, warnings } = await sent(assistantSaid(part));
    expect(itemsOfType(request, 'compaction')).toEqual([{ type: 'compaction', encrypted_content: 'sealed' }]);
    expect(request?.input.map((item) => item['type'])).toEqual(['message', 'compaction', 'message', 'message']);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a compaction without its seal', { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: {} } }],
    [
      'a custom part nobody knows',
      { type: 'custom', kind: 'pond.duck', providerOptions: { openai: { encryptedContent: 'sealed' } } },
    ],
    [
      'a file of somebody’s reasoning',
      { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
    ],
  ])('leaves %s out, with a warning', async (_name, part) => {
    const { request, warnings } = await sent(assistantSaid(part));
    expect(outline(request)).toEqual(['user Hi', 'says Hello.', 'user And?']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Message 1 of the prompt .*left out/);
  });
});

describe('a stream that was cut', () => {
  const [begun] = splitBefore(responseEvents(says('resp_1', 'Half a')), 'response.output_text.done');

  it.each(['end', 'reset'] as const)('is "interrupted" to V4, behind an error part (%s)', async (ending) => {
    const { model } = await rig([{ events: begun, ending }]);
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(shape(parts).slice(-3)).toEqual(['text-end', 'error', 'finish']);
    expect(finishOf(parts).finishReason).toEqual({ unified: 'interrupted', raw: undefined });
  });

  it('is "interrupted" in a later round, too', async () => {
    const { model } = await rig([reply(calls('resp_0', ['add', { a: 1, b: 2 }])), { events: begun, ending: 'end' }], {
      tools: { add: adder().add },
    });
    expect(finishOf(await streamParts(model)).finishReason.unified).toBe('interrupted');
  });

  it('is no end of the call where a tool had begun: the loop goes on, and the answer counts', async () => {
    const events = splitBefore(responseEvents(calls('resp_1', ['look', {}, 'call_1'])), 'response.completed')[0];
    const { model } = await rig([{ events, ending: 'reset' }, reply(says('resp_2', 'Seen.'))], {
      tools: { look: { ...toolOf(() => 'a duck'), readOnly: true } },
    });
    expect(finishOf(await streamParts(model)).finishReason.unified).toBe('stop');
  });

  it('is none where the server reported a failure, or the answer came whole', async () => {
    const failed: ScriptedStep = [...begun, errorEvent({ code: 'server_error', message: 'Broken.' })];
    const { model } = await rig([failed, hello]);
    expect(finishOf(await streamParts(model)).finishReason.unified).toBe('error');
    expect(finishOf(await streamParts(model)).finishReason.unified).toBe('stop');
  });
});

describe('the URL of the request', () => {
  it('is told of streams and of generated results', async () => {
    const { model, server } = await rig([hello, hello]);
    const url = `${server.baseURL}/responses`;
    const { request, stream } = await model.doStream({ prompt: userPrompt() });
    await readAll(stream);
    expect(request?.url).toBe(url);
    expect((await model.doGenerate({ prompt: userPrompt() })).request?.url).toBe(url);
  });

  it('is told without keys', async () => {
    const key = 'sk-duck-0123456789abcdef';
    const { model } = await rig([hello], {
      apiKey: key,
      query: { api_key: 'pond-7f2c9a', path: `/${key}/`, 'api-version': 'v1' },
    });
    const { url } = (await model.doGenerate({ prompt: userPrompt() })).request ?? {};
    expect(url).not.toContain('pond-7f2c9a');
    expect(url).not.toContain('0123456789');
    expect(url).toContain('api-version=v1');
  });
});

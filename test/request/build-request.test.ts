import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { createRequestBuilder } from '../../src/request/build-request.js';
import { PROFILES } from '../../src/request/profiles.js';
import { fromCallOptions } from '../../src/sdk/prompt/from-call-options.js';
import { build, user } from './support/build.js';

const OPENAI = PROFILES.openai;
const HI = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
const ADD = { type: 'function', name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } };

describe('nothing is sent that nobody asked for', () => {
  it('to OpenAI: store false and the sealed reasoning it needs for that', () => {
    expect(build({ backend: 'openai' }).body).toStrictEqual({
      model: 'gpt-test',
      input: [HI],
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    });
  });

  it('to a server nobody knows: store false', () => {
    expect(build({ backend: 'generic' }).body).toStrictEqual({
      model: 'gpt-test',
      input: [HI],
      store: false,
      stream: true,
    });
  });

  it('stream false is said, not left out', () => {
    expect(build({ backend: 'generic', stream: false }).body).toStrictEqual({
      model: 'gpt-test',
      input: [HI],
      store: false,
      stream: false,
    });
  });

  it('says nothing of it in warnings', () => {
    expect(build({}).warnings).toEqual([]);
  });

  it('previous_response_id and store are sent when asked for', () => {
    const { body, warnings } = build({ providerOptions: { openai: { previousResponseId: 'resp_0', store: true } } });
    expect(body).toMatchObject({ previous_response_id: 'resp_0', store: true });
    expect(warnings).toEqual([]);
  });
});

describe('call settings', () => {
  it.each<[string, object, object]>([
    ['maxOutputTokens', { maxOutputTokens: 100 }, { max_output_tokens: 100 }],
    ['temperature 0', { temperature: 0 }, { temperature: 0 }],
    ['topP', { topP: 0.5 }, { top_p: 0.5 }],
  ])('%s', (_name, options, expected) => {
    expect(build(options)).toMatchObject({ body: expected, warnings: [] });
  });

  it.each([
    ['topK', 5],
    ['seed', 1],
    ['presencePenalty', 0],
    ['frequencyPenalty', 0.1],
    ['stopSequences', ['x']],
  ])('%s is not part of the API: not sent, and said so', (name, value) => {
    const { body, warnings } = build({ [name]: value });
    expect(body).toStrictEqual(build({}).body);
    expect(warnings).toEqual([expect.stringContaining(name)]);
  });

  it('no stop sequences are nothing to warn about', () => {
    expect(build({ stopSequences: [] }).warnings).toEqual([]);
  });
});

describe('tools', () => {
  it('strict is always said', () => {
    expect(build({ tools: [ADD, { ...ADD, name: 'sub', strict: true }] }).body['tools']).toStrictEqual([
      { type: 'function', name: 'add', parameters: ADD.inputSchema, strict: false },
      { type: 'function', name: 'sub', parameters: ADD.inputSchema, strict: true },
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ['auto goes unsaid', { type: 'auto' }, undefined],
    ['none', { type: 'none' }, 'none'],
    ['required', { type: 'required' }, 'required'],
    ['one tool', { type: 'tool', toolName: 'add' }, { type: 'function', name: 'add' }],
  ])('tool choice: %s', (_name, toolChoice, expected) => {
    expect(build({ tools: [ADD], toolChoice }).body['tool_choice']).toStrictEqual(expected);
  });

  it('without tools there is no tool choice and no parallel_tool_calls, which servers refuse', () => {
    const { body } = build({
      toolChoice: { type: 'required' },
      providerOptions: { openai: { parallelToolCalls: false } },
    });
    expect(body).toStrictEqual(build({}).body);
  });

  it('parallel_tool_calls goes out with tools', () => {
    expect(build({ tools: [ADD], providerOptions: { openai: { parallelToolCalls: false } } }).body).toMatchObject({
      parallel_tool_calls: false,
    });
  });

  it('the closing round keeps the tools and forbids them', () => {
    expect(build({ tools: [ADD], closing: true }).body).toMatchObject({
      tools: [{ name: 'add' }],
      tool_choice: 'none',
    });
  });

  it('the closing round goes without tools where the profile says so', () => {
    const { body } = build({
      tools: [ADD],
      closing: true,
      backend: 'ollama',
      providerOptions: { openai: { parallelToolCalls: false } },
    });
    expect(body).toStrictEqual({ model: 'gpt-test', input: [HI], store: false, stream: true });
  });

  it('rounds with the same tools share their declarations; another choice, closing and no tools each count', () => {
    const { call } = fromCallOptions(
      'gpt-test',
      { prompt: [user('Hi')], tools: [ADD] },
      { stream: true, profile: OPENAI },
    );
    const builder = createRequestBuilder({ call, profile: OPENAI, overrides: [], defaults: {} });
    const round = {
      prompt: [],
      added: [],
      tools: call.clientTools,
      toolChoice: { type: 'auto' },
      closing: false,
    } as const;
    const rounds = [
      round,
      round,
      { ...round, toolChoice: { type: 'required' } as const },
      { ...round, closing: true },
      { ...round, tools: [] },
      round,
    ];
    const bodies = rounds.map((one, index) => builder.build({ ...one, index }));
    const add = [expect.objectContaining({ name: 'add' })];
    expect(bodies.map(({ tools, tool_choice: choice }) => [tools, choice])).toEqual([
      [add, undefined],
      [add, undefined],
      [add, 'required'],
      [add, 'none'],
      [undefined, undefined],
      [add, undefined],
    ]);
    expect(bodies[1]?.['tools']).toBe(bodies[0]?.['tools']);
  });

  it('a tool of another provider is left out with a warning', () => {
    const { body, warnings } = build({
      tools: [{ type: 'provider-defined', id: 'anthropic.computer', name: 'computer', args: {} }],
    });
    expect(body).not.toHaveProperty('tools');
    expect(warnings).toEqual([expect.stringContaining('anthropic.computer')]);
  });
});

describe('response format', () => {
  const schema = { type: 'object', properties: { v: { type: 'number' } } };

  it.each<[string, unknown, JsonObject | undefined]>([
    ['text', { type: 'text' }, undefined],
    ['JSON without a schema', { type: 'json' }, { format: { type: 'json_object' } }],
    ['JSON', { type: 'json', schema }, { format: { type: 'json_schema', name: 'response', schema, strict: false } }],
    [
      'JSON with name and description',
      { type: 'json', schema, name: 'n', description: 'd' },
      { format: { type: 'json_schema', name: 'n', description: 'd', schema, strict: false } },
    ],
  ])('%s', (_name, responseFormat, expected) => {
    expect(build({ responseFormat }).body['text']).toEqual(expected);
  });

  it('strictJsonSchema, and the verbosity beside it', () => {
    const providerOptions = { openai: { strictJsonSchema: true, textVerbosity: 'low' } };
    expect(build({ responseFormat: { type: 'json', schema }, providerOptions }).body['text']).toMatchObject({
      format: { strict: true },
      verbosity: 'low',
    });
  });
});

describe('provider options', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['instructions', { instructions: 'Be brief.' }, { instructions: 'Be brief.' }],
    ['maxToolCalls', { maxToolCalls: 3 }, { max_tool_calls: 3 }],
    ['metadata', { metadata: { a: 'b' } }, { metadata: { a: 'b' } }],
    ['promptCacheKey', { promptCacheKey: 'k' }, { prompt_cache_key: 'k' }],
    ['promptCacheRetention', { promptCacheRetention: '24h' }, { prompt_cache_retention: '24h' }],
    [
      'reasoning',
      { reasoningEffort: 'low', reasoningSummary: 'auto' },
      { reasoning: { effort: 'low', summary: 'auto' } },
    ],
    ['safetyIdentifier', { safetyIdentifier: 's' }, { safety_identifier: 's' }],
    ['serviceTier', { serviceTier: 'flex' }, { service_tier: 'flex' }],
    ['store', { store: true }, { store: true }],
    ['truncation', { truncation: 'auto' }, { truncation: 'auto' }],
    ['user', { user: 'u' }, { user: 'u' }],
    ['conversation', { conversation: 'conv_1' }, { conversation: 'conv_1' }],
    [
      'logprobs',
      { logprobs: 3 },
      { top_logprobs: 3, include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] },
    ],
    ['logprobs: true', { logprobs: true }, { top_logprobs: 20 }],
    [
      'include',
      { include: ['file_search_call.results'] },
      { include: ['reasoning.encrypted_content', 'file_search_call.results'] },
    ],
  ])('%s means what it means in the stock provider', (_name, options, expected) => {
    expect(build({ providerOptions: { openai: options } })).toMatchObject({ body: expected, warnings: [] });
    expect(build({ providerOptions: { 'responses-loop': options } })).toMatchObject({ body: expected, warnings: [] });
  });

  it('what stands under our own name wins', () => {
    const providerOptions = { openai: { user: 'a', serviceTier: 'flex' }, 'responses-loop': { user: 'b' } };
    expect(build({ providerOptions }).body).toMatchObject({ user: 'b', service_tier: 'flex' });
  });

  it('options of the call replace the defaults of the provider', () => {
    expect(build({ defaults: { truncation: 'auto' } }).body).toMatchObject({ truncation: 'auto' });
    expect(
      build({ defaults: { truncation: 'auto' }, providerOptions: { openai: { truncation: 'disabled' } } }).body,
    ).toMatchObject({ truncation: 'disabled' });
  });

  it('an unknown option is not sent, and said so', () => {
    const { body, warnings } = build({ providerOptions: { openai: { reasonningEffort: 'low' } } });
    expect(body).toStrictEqual(build({}).body);
    expect(warnings).toEqual([expect.stringContaining('"reasonningEffort"')]);
  });

  it.each([null, undefined])('%s is no option', (nothing) => {
    const { body, warnings } = build({ providerOptions: { openai: { user: nothing, nonsense: nothing } } });
    expect([body, warnings]).toStrictEqual([build({}).body, []]);
  });

  it('options of other providers are none of ours', () => {
    expect(build({ providerOptions: { anthropic: { thinking: true } } })).toEqual(build({}));
  });
});

describe('body overrides', () => {
  it('come after everything that was converted, the later one last', () => {
    const { body } = build({
      temperature: 0.5,
      overrides: [
        { temperature: 1, seed: 7 },
        { temperature: null, model: 'real-name' },
      ],
    });
    expect(body).toMatchObject({ model: 'real-name', seed: 7 });
    expect(body).not.toHaveProperty('temperature');
  });

  it('null takes away what we would have sent', () => {
    expect(build({ overrides: [{ store: null, include: null }] }).body).toStrictEqual({
      model: 'gpt-test',
      input: [HI],
      stream: true,
    });
  });

  it('the body of the call has the last word', () => {
    const providerOptions = { openai: { body: { seed: 9, store: null, vendor: { deep: { b: 2 } } } } };
    const { body, warnings } = build({ overrides: [{ seed: 7, vendor: { deep: { a: 1 } } }], providerOptions });
    expect(body).toMatchObject({ seed: 9, vendor: { deep: { a: 1, b: 2 } } });
    expect(body).not.toHaveProperty('store');
    expect(warnings).toEqual([]);
  });
});

describe('follow-up rounds', () => {
  it('only add to the input: everything else is the same, byte for byte', () => {
    const options = {
      tools: [ADD],
      temperature: 0.5,
      overrides: [{ seed: 7 }],
      prompt: [{ role: 'system', content: 'Be brief.' }, user('Hi')],
    };
    const first = build(options).body;
    const second = build({
      ...options,
      added: [
        { role: 'assistant', content: [{ type: 'tool-call', callId: 'c1', name: 'add', arguments: '{}' }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', callId: 'c1', output: { isError: false, content: [{ type: 'text', text: '5' }] } },
          ],
        },
      ],
    }).body;
    expect(JSON.stringify({ ...second, input: null })).toBe(JSON.stringify({ ...first, input: null }));
    expect((second['input'] as JsonObject[]).slice(0, 2)).toEqual(first['input']);
    expect((second['input'] as JsonObject[]).slice(2)).toMatchObject([
      { type: 'function_call' },
      { type: 'function_call_output', output: '5' },
    ]);
  });
});

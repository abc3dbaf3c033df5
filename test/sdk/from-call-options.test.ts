import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.js';
import { warningText } from '../../src/core/warning.js';
import { type AnyCallOptions, fromCallOptions } from '../../src/sdk/prompt/from-call-options.js';
import { failureOf, start, stream } from '../provider/support/talk.js';

const callOf = (options: Partial<AnyCallOptions> | Record<string, unknown>): Call =>
  fromCallOptions('m', { prompt: [], ...options }, { stream: true }).call;
const warningsOf = (options: Partial<AnyCallOptions>): readonly string[] =>
  fromCallOptions('m', { prompt: [], ...options }, { stream: true }).warnings.map(warningText);

describe('provider options', () => {
  it('stand under `openai`, our name, or the name the provider goes by; the last of them wins', () => {
    const providerOptions = {
      openai: { user: 'a', store: true, truncation: 'auto' },
      'responses-loop': { user: 'b', store: false },
      'kelivo-responses': { user: 'c' },
    };
    const { call } = fromCallOptions('m', { prompt: [], providerOptions }, { stream: true, name: 'kelivo-responses' });
    expect(call.options).toEqual({ user: 'c', store: false, truncation: 'auto' });
  });
});

describe('call options of any AI SDK version', () => {
  it('an empty call', () => {
    expect(callOf({})).toEqual({
      modelId: 'm',
      messages: [],
      clientTools: [],
      hostedTools: [],
      declaredLoopTools: [],
      sdkRunTools: [],
      lateTools: [],
      toolChoice: { type: 'auto' },
      settings: {},
      responseFormat: { type: 'text' },
      options: {},
      headers: {},
      includeRaw: false,
      stream: true,
    });
  });

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'numbers',
      { temperature: 0, topP: 0.5, maxOutputTokens: 10, topK: 3, seed: 1, presencePenalty: 0.1, frequencyPenalty: 0.2 },
      { temperature: 0, topP: 0.5, maxOutputTokens: 10, topK: 3, seed: 1, presencePenalty: 0.1, frequencyPenalty: 0.2 },
    ],
    ['stop sequences', { stopSequences: ['a', 'b'] }, { stopSequences: ['a', 'b'] }],
    [
      'undefined, null, NaN and texts are no numbers',
      { temperature: undefined, topP: null, seed: Number.NaN, topK: '5' },
      {},
    ],
  ])('settings: %s', (_name, options, expected) => {
    expect(callOf(options).settings).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['absent', undefined, { type: 'auto' }],
    ['null', null, { type: 'auto' }],
    ['auto', { type: 'auto' }, { type: 'auto' }],
    ['none', { type: 'none' }, { type: 'none' }],
    ['required', { type: 'required' }, { type: 'required' }],
    ['a tool', { type: 'tool', toolName: 'add' }, { type: 'tool', name: 'add' }],
    ['a choice of tomorrow', { type: 'maybe' }, { type: 'auto' }],
  ])('tool choice: %s', (_name, toolChoice, expected) => {
    expect(callOf({ toolChoice }).toolChoice).toEqual(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['text', { type: 'text' }, { type: 'text' }],
    [
      'json',
      { type: 'json', schema: { type: 'object' }, name: 'n', description: 'd' },
      { type: 'json', schema: { type: 'object' }, name: 'n', description: 'd' },
    ],
    [
      'json with undefined members',
      { type: 'json', schema: undefined, name: undefined, description: undefined },
      { type: 'json' },
    ],
    ['absent', undefined, { type: 'text' }],
  ])('response format: %s', (_name, responseFormat, expected) => {
    expect(callOf({ responseFormat }).responseFormat).toStrictEqual(expected);
  });

  it('function tools keep name, description, schema and strict', () => {
    const inputSchema = { type: 'object', properties: {} };
    const tools = [
      { type: 'function', name: 'a', description: 'd', inputSchema, strict: true },
      { type: 'function', name: 'b', inputSchema, description: undefined, strict: undefined },
    ];
    expect(callOf({ tools }).clientTools).toStrictEqual([
      { name: 'a', description: 'd', inputSchema, strict: true },
      { name: 'b', inputSchema },
    ]);
  });

  it.each([['provider-defined'], ['provider']])('hosted tools as ai 5 and ai 6 name them: %s', (type) => {
    const tools = [{ type, id: 'openai.web_search', name: 'web_search', args: { searchContextSize: 'low' } }];
    expect(callOf({ tools }).hostedTools).toMatchObject([{ type: 'web_search' }]);
    expect(warningsOf({ tools })).toEqual([]);
  });

  it('a hosted tool of somebody else is left out with a warning', () => {
    const tools = [{ type: 'provider', id: 'google.code_execution', name: 'code_execution', args: {} }];
    expect(callOf({ tools }).hostedTools).toEqual([]);
    expect(warningsOf({ tools })).toEqual([expect.stringContaining('google.code_execution')]);
  });
});

describe('what programs without types leave empty', () => {
  it('null is nothing', () => {
    const call = callOf({ headers: null, tools: null, providerOptions: null, stopSequences: null });
    expect(call).toMatchObject({ headers: {}, clientTools: [], hostedTools: [], options: {}, settings: {} });
  });
});

describe('headers of a call', () => {
  it("undefined ones are none, and the SDK's own user agent stays out", () => {
    const headers = { 'x-a': '1', 'x-b': undefined, 'user-agent': 'ai/5.0.277 runtime/node.js/20' };
    expect(callOf({ headers }).headers).toEqual({ 'x-a': '1' });
  });

  it.each([
    ['x-a', 'one\ntwo'],
    ['x a', '1'],
    ['x-title', 'Чат'],
  ])('%j: %j cannot be sent, and that is said before anything is, once', async (name, value) => {
    const talk = await start([]);
    const error = await failureOf(stream(talk, { headers: { [name]: value } }));
    expect(error).toMatchObject({ code: 'invalid-settings', message: expect.stringMatching(/headers of the call/) });
    expect(error.isRetryable).not.toBe(true);
    expect(talk.server.requests).toEqual([]);
  });
});

import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../src/index.js';
import { brokenRules, finishOf, partsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { outputs } from './support/wire.js';
import { failureOf } from '../provider/support/talk.js';

type Prompt = LanguageModelV2CallOptions['prompt'];

const pdf = { type: 'file', mediaType: 'application/pdf', data: new Uint8Array([37, 80, 68, 70]) } as const;
const linked = { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/duck.png') } as const;
const inline = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) } as const;

function promptWith(...files: readonly (typeof pdf | typeof linked | typeof inline)[]): Prompt {
  return [
    { role: 'system', content: 'You are a duck.' },
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, ...files] },
  ];
}

describe('a prompt that the back end is known to refuse', () => {
  it.each([
    ['llamacpp', [pdf], 'Message 1, part 1: application/pdf'],
    ['ollama', [pdf], 'Message 1, part 1: application/pdf'],
    ['ollama', [linked], 'Message 1, part 1: image/png'],
    ['ollama', [inline, linked], 'Message 1, part 2: image/png'],
  ] as const)('is not sent to %s, and the error says where it stands (%#)', async (backend, files, place) => {
    const { model, requests } = await rig([], { backend });
    const error = await failureOf(model.doStream({ prompt: promptWith(...files) }));
    expect(error).toMatchObject({ code: 'invalid-prompt' });
    expect(error.message).toContain(place);
    expect(error.message).toContain(`"${backend}"`);
    expect(requests).toEqual([]);
  });

  it.each(['openai', 'ollama', 'generic'] as const)(
    'is not sent to %s with a tool that has no name',
    async (backend) => {
      const { model, requests } = await rig([], { backend });
      const inputSchema = { type: 'object' } as const;
      const tools = [
        { type: 'function' as const, name: 'good', inputSchema },
        { type: 'function' as const, name: ' ', inputSchema },
      ];
      const error = await failureOf(model.doGenerate({ prompt: promptWith(), tools }));
      expect(error).toMatchObject({ code: 'invalid-prompt' });
      expect(error.message).toContain('tools[1]');
      expect(error.message).toContain(`"${backend}"`);
      expect(requests).toEqual([]);
    },
  );

  it('is named to whoever uses the AI SDK, which does not ask again', async () => {
    const { model, requests } = await rig([], { backend: 'ollama' });
    const content = [{ type: 'file' as const, data: pdf.data, mediaType: pdf.mediaType }];
    const error = await failureOf(generateText({ model, messages: [{ role: 'user', content }] }));
    expect(error.message).toContain('Message 0, part 0: application/pdf');
    expect(requests).toEqual([]);
  });

  it.each([
    ['llamacpp', [inline, linked]],
    ['ollama', [inline]],
    ['openai', [pdf, linked]],
    ['generic', [pdf, linked]],
  ] as const)('is sent where %s takes it', async (backend, files) => {
    const { model, requests } = await rig([reply(says('resp_1', 'A duck.'))], { backend });
    expect(textOf(await streamParts(model, { prompt: promptWith(...files) }))).toBe('A duck.');
    expect(requests).toHaveLength(1);
  });
});

describe('a server that wants a key', () => {
  const none: ResponsesProviderSettings = { backend: 'openai', apiKey: undefined };
  const hello = [reply(says('resp_1', 'Hello.'))];

  it('is not asked without one', async () => {
    const { model, requests } = await rig([], none);
    expect(await failureOf(model.doStream({ prompt: [] }))).toMatchObject({ code: 'missing-api-key' });
    expect(requests).toEqual([]);
  });

  it.each([
    ['headers of the provider', { headers: { Authorization: 'Bearer mine' } }],
    ['headers of the model', { models: { 'gpt-*': { headers: { 'API-Key': 'mine' } } } }],
    ['the query', { query: { key: 'mine' } }],
    ['the query of the model', { models: { 'gpt-*': { query: { 'api-key': 'mine' } } } }],
  ] as const)('is asked with one in %s', async (_name, settings) => {
    const { model, requests } = await rig(hello, { ...none, ...settings });
    expect(textOf(await streamParts(model))).toBe('Hello.');
    expect(`${requests[0]?.url} ${JSON.stringify(requests[0]?.headers)}`).toContain('mine');
  });

  it.each(['authorization', 'Authorization', 'api-key', 'X-API-Key', 'x-goog-api-key'])(
    'is asked with one in the header %s of the call',
    async (name) => {
      const { model, requests } = await rig(hello, none);
      const { text } = await generateText({ model, prompt: 'Hi', headers: { [name]: 'mine' } });
      expect(text).toBe('Hello.');
      expect(requests[0]?.headers[name.toLowerCase()]).toBe('mine');
    },
  );

  it.each([
    ['it was taken away', { apiKey: 'k', headers: { authorization: null } }],
    ['it is another model’s', { models: { 'other-*': { headers: { authorization: 'Bearer mine' } } } }],
  ] as const)('is not asked when %s', async (_name, settings) => {
    const { model, requests } = await rig([], { ...none, ...settings });
    expect(await failureOf(model.doStream({ prompt: [] }))).toMatchObject({ code: 'missing-api-key' });
    expect(requests).toEqual([]);
  });

  it('is asked when the settings say that no key is sent', async () => {
    const { model } = await rig(hello, { ...none, auth: 'none' });
    expect(await streamText({ model, prompt: 'Hi' }).text).toBe('Hello.');
  });
});

describe('arguments 6,000 levels deep', () => {
  const DEEP = `${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`;

  it.each(['all', 'none'] as const)('give the model an error output (toolParts: %s)', async (toolParts) => {
    const { add, runs } = adder();
    const steps = [reply(calls('resp_1', ['add', [DEEP], 'call_1'])), reply(says('resp_2', 'Sorry.'))];
    const { model, requests } = await rig(steps, { tools: { add }, toolParts });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(textOf(parts)).toBe('Sorry.');
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(runs).toEqual([]);
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringContaining('levels deep')]]);
    const shown = partsOf(parts, 'tool-call').map(({ input }) => input);
    expect(shown).toEqual(toolParts === 'all' ? ['{}'] : []);
  });
});

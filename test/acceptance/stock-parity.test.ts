import { createOpenAI } from '@ai-sdk/openai';
import { type LanguageModel, type ModelMessage, generateText, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createResponsesProvider } from 'responses-loop';
import { createScriptedServer, type ScriptedRequest, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, says } from './support/rig.js';
import { outputs } from './support/wire.js';

/** The same calls, made through the stock provider and through ours: nothing above the model may notice a difference. */
const PROVIDERS: readonly (readonly [string, (baseURL: string) => LanguageModel])[] = [
  ['@ai-sdk/openai', (baseURL) => createOpenAI({ baseURL, apiKey: 'test' }).responses('gpt-5.1')],
  ['responses-loop', (baseURL) => createResponsesProvider({ baseURL, apiKey: 'test', backend: 'openai' })('gpt-5.1')],
];

const weather = (city: string) => ({ city, degrees: city === 'Oslo' ? 4 : 24 });

describe.each(PROVIDERS)('a caller of %s', (_name, createModel) => {
  async function play(
    steps: readonly ScriptedStep[],
  ): Promise<{ model: LanguageModel; requests: readonly ScriptedRequest[] }> {
    const server = await createScriptedServer({ steps });
    onTestFinished(async () => {
      await server.close();
      server.assertDone();
    });
    return { model: createModel(server.baseURL), requests: server.requests };
  }

  const tools = {
    weather: tool({
      description: 'The weather.',
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => weather(city),
    }),
  };

  it('streams text word by word, with usage and finish reason', async () => {
    const { model } = await play([reply(says('resp_1', 'Ducks like ponds.'))]);
    const result = streamText({ model, prompt: 'Ducks?' });
    const chunks: string[] = [];
    for await (const chunk of result.textStream) chunks.push(chunk);
    expect(chunks).toEqual(['Ducks', ' like', ' ponds.']);
    expect(await result.finishReason).toBe('stop');
    expect(await result.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, totalTokens: 15 });
    expect((await result.response).id).toBe('resp_1');
  });

  it('generates text with the response id and model of the server', async () => {
    const { model } = await play([reply(says('resp_1', 'Ducks like ponds.'))]);
    const result = await generateText({ model, prompt: 'Ducks?' });
    expect(result.text).toBe('Ducks like ponds.');
    expect(result.response).toMatchObject({
      id: 'resp_1',
      modelId: 'gpt-test',
      timestamp: new Date(1_700_000_000_000),
    });
    expect(result.providerMetadata?.['openai']).toMatchObject({ responseId: 'resp_1' });
  });

  it('streams reasoning before text', async () => {
    const { model } = await play([
      reply({
        output: [
          { type: 'reasoning', summary: ['Thinking of ponds.'], encrypted: 'sealed' },
          { type: 'text', text: 'Ponds.' },
        ],
      }),
    ]);
    const result = streamText({ model, prompt: 'Ducks?' });
    const order: string[] = [];
    for await (const part of result.fullStream) if (/-(start|end)$/.test(part.type)) order.push(part.type);
    expect(order).toEqual(['reasoning-start', 'reasoning-end', 'text-start', 'text-end']);
    expect(await result.reasoningText).toBe('Thinking of ponds.');
    expect(await result.text).toBe('Ponds.');
  });

  it('runs the caller’s tool in the SDK’s own multi-step loop', async () => {
    const { model, requests } = await play([
      reply(calls('resp_1', ['weather', { city: 'Oslo' }, 'call_1'])),
      reply(says('resp_2', '4 degrees.')),
    ]);
    const result = streamText({ model, tools, prompt: 'Oslo?', stopWhen: stepCountIs(3) });
    expect(await result.text).toBe('4 degrees.');
    const steps = await result.steps;
    expect(steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'weather', toolCallId: 'call_1', input: { city: 'Oslo' } }]);
    expect(steps[0]?.toolResults).toMatchObject([{ output: { city: 'Oslo', degrees: 4 } }]);
    expect(outputs(requests[1])).toEqual([['call_1', '{"city":"Oslo","degrees":4}']]);
  });

  it('runs two of the caller’s calls of one round, with generateText', async () => {
    const { model, requests } = await play([
      reply(calls('resp_1', ['weather', { city: 'Oslo' }, 'call_1'], ['weather', { city: 'Rome' }, 'call_2'])),
      reply(says('resp_2', 'Rome is warmer.')),
    ]);
    const result = await generateText({ model, tools, prompt: 'Which?', stopWhen: stepCountIs(3) });
    expect(result.text).toBe('Rome is warmer.');
    expect(result.steps).toHaveLength(2);
    expect(outputs(requests[1]).map(([callId]) => callId)).toEqual(['call_1', 'call_2']);
    expect(result.totalUsage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  it('gives the SDK’s own message shapes, which go back into the next call', async () => {
    const { model, requests } = await play([
      reply(calls('resp_1', ['weather', { city: 'Oslo' }, 'call_1'])),
      reply(says('resp_2', '4 degrees.')),
      reply(says('resp_3', 'Take a coat.')),
    ]);
    const question: ModelMessage = { role: 'user', content: 'Oslo?' };
    const first = await generateText({
      model,
      tools,
      messages: [question],
      stopWhen: stepCountIs(3),
      providerOptions: { openai: { store: false } },
    });
    expect(first.response.messages.map((message) => message.role)).toEqual(['assistant', 'tool', 'assistant']);
    const second = await generateText({
      model,
      tools,
      messages: [question, ...first.response.messages, { role: 'user', content: 'Coat?' }],
      providerOptions: { openai: { store: false } },
    });
    expect(second.text).toBe('Take a coat.');
    expect(requests[2]?.input.map((item) => item['type'] ?? item['role'])).toEqual(
      expect.arrayContaining(['function_call', 'function_call_output']),
    );
    expect(requests[2]?.input.filter((item) => item['type'] === 'item_reference')).toEqual([]);
  });

  it('reports a refused request as an APICallError with status and server message', async () => {
    const { model } = await play([
      {
        status: 400,
        json: {
          error: { message: 'No such model.', type: 'invalid_request_error', code: 'model_not_found', param: null },
        },
      },
    ]);
    await expect(generateText({ model, prompt: 'Hello' })).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 400,
      message: expect.stringContaining('No such model.') as string,
    });
  });

  it('retries a rate limit as often as the caller’s maxRetries says', async () => {
    const { model } = await play([
      {
        status: 429,
        headers: { 'retry-after-ms': '1' },
        json: { error: { message: 'Slow down.', code: 'rate_limit_exceeded', type: 'requests', param: null } },
      },
      reply(says('resp_1', 'Hello.')),
    ]);
    expect((await generateText({ model, prompt: 'Hello', maxRetries: 1 })).text).toBe('Hello.');
  });
});

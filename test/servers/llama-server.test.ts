import { openai } from '@ai-sdk/openai';
import {
  APICallError,
  generateObject,
  generateText,
  jsonSchema,
  type ModelMessage,
  NoObjectGeneratedError,
  streamText,
  type ToolSet,
} from 'ai';
import { describe, expect, it } from 'vitest';

import { adder } from '../acceptance/support/tools.js';
import { everythingPath, until } from '../tools/support/servers.js';
import { callsPerRound, inputOf, llama, LLAMA_URL, MODEL, SEEDS, slotsOf } from './support/llama.js';

const integers = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
} as const;
const parallel = { openai: { parallelToolCalls: true } };
const oneByOne = { openai: { parallelToolCalls: false } };

describe.skipIf(LLAMA_URL === undefined)('llama.cpp (skipped unless RESPONSES_LOOP_LLAMA_URL names a server)', () => {
  it('streams the text it generates, although its events have no index', async () => {
    const { provider } = llama(LLAMA_URL);
    const call = { model: provider(MODEL), prompt: 'Hello', seed: 7 };
    const streamed = streamText(call);
    const pieces: string[] = [];
    for await (const piece of streamed.textStream) pieces.push(piece);
    const generated = await generateText(call);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(generated.text);
    expect(generated.finishReason).toBe('stop');
    expect(generated.usage.inputTokens).toBeGreaterThan(0);
    expect((await streamed.usage).outputTokens).toBe(generated.usage.outputTokens);
    expect(generated.usage.reasoningTokens).toBeUndefined();
  });

  it('runs a local tool and streams the answer in the same step', async () => {
    const { add, runs } = adder({ inputSchema: integers });
    const { provider, bodies } = llama(LLAMA_URL, { tools: { add } });
    const result = streamText({ model: provider(MODEL), prompt: 'Add', seed: 2, providerOptions: oneByOne });
    expect(await result.text).not.toBe('');
    expect(await result.steps).toHaveLength(1);
    expect(callsPerRound(await result.providerMetadata)).toEqual([1, 0]);
    expect(runs).toEqual([{ a: expect.any(Number), b: expect.any(Number) }]);
    expect(inputOf(bodies[1])).toEqual(['user', 'function_call', 'function_call_output']);
  });

  it('runs a tool of an MCP server over stdio, whose 12 schemas llama.cpp takes as they are', async () => {
    const { provider, bodies, ran } = llama(LLAMA_URL, {
      mcpServers: { everything: { command: process.execPath, args: [everythingPath] } },
      toolTimeoutMs: 5000,
    });
    const result = streamText({ model: provider(MODEL), prompt: 'Echo something', seed: 2 });
    expect(await result.text).not.toBe('');
    const [first] = bodies;
    expect(Array.isArray(first?.['tools']) && first['tools'].length).toBe(12);
    expect(ran).toHaveLength(1);
    expect(inputOf(bodies.at(-1))).toContain('function_call_output');
  });

  it('answers every call of a response with parallel calls', async () => {
    const { add, runs } = adder({ inputSchema: integers });
    const { provider, bodies } = llama(LLAMA_URL, { tools: { add } });
    for (const seed of SEEDS) {
      const { providerMetadata } = await generateText({
        model: provider(MODEL),
        prompt: 'Add',
        seed,
        providerOptions: parallel,
      });
      const [first = 0] = callsPerRound(providerMetadata);
      if (first < 2) continue;
      expect(runs.length).toBeGreaterThanOrEqual(first);
      const input = inputOf(bodies.at(-1));
      expect(input.filter((type) => type === 'function_call_output')).toHaveLength(first);
      expect(input.filter((type) => type === 'function_call')).toHaveLength(first);
      return;
    }
    throw new Error('the model never called two tools at once');
  });

  it.each(['llamacpp', 'auto'] as const)(
    'with backend %j takes the history of three turns, each with a tool call',
    async (backend) => {
      const { add } = adder({ inputSchema: integers });
      const models = { '*': { body: { seed: 2 } } };
      const { provider, bodies } = llama(LLAMA_URL, { tools: { add }, backend, models });
      const messages: ModelMessage[] = [];
      for (const content of ['Add 2 and 3', 'And again', 'Thank you']) {
        messages.push({ role: 'user', content });
        const { response, text } = await generateText({ model: provider(MODEL), messages, providerOptions: oneByOne });
        expect(text).not.toBe('');
        messages.push(...response.messages);
      }
      const turn = ['user', 'function_call', 'function_call_output', 'assistant'];
      expect(inputOf(bodies.at(-1))).toEqual([...turn, ...turn, 'user', 'function_call', 'function_call_output']);
    },
  );

  it('structured output: asks for the schema, and where the server ignores it reports that there is no object', async () => {
    const { provider, bodies } = llama(LLAMA_URL);
    const schema = jsonSchema<{ name: string }>({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    const failure: unknown = await generateObject({
      model: provider(MODEL),
      prompt: 'A person',
      seed: 3,
      schema,
    }).catch((error: unknown) => error);
    expect(bodies[0]?.['text']).toMatchObject({ format: { type: 'json_schema', schema: { required: ['name'] } } });
    expect(NoObjectGeneratedError.isInstance(failure)).toBe(true);
  });

  it('a refused parameter is a clear error with status 400 that is not retried', async () => {
    const { provider, bodies } = llama(LLAMA_URL);
    const call = generateText({
      model: provider(MODEL),
      prompt: 'Go on',
      providerOptions: { openai: { previousResponseId: 'resp_1' } },
    });
    const failure: unknown = await call.catch((error: unknown) => error);
    expect(APICallError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({ statusCode: 400, isRetryable: false });
    expect((failure as Error).message).toContain("does not support 'previous_response_id'");
    expect((failure as Error).message).toContain('/v1/responses');
    expect(bodies).toHaveLength(1);
  });

  it('a tool that is no function is left out with a warning', async () => {
    const { provider, bodies } = llama(LLAMA_URL);
    const tools = { web_search: openai.tools.webSearch({}) } as ToolSet;
    const { warnings } = await generateText({ model: provider(MODEL), prompt: 'Search', seed: 2, tools });
    expect(bodies[0]).not.toHaveProperty('tools');
    expect(JSON.stringify(warnings)).toMatch(/web_search.*llamacpp/);
  });

  it('an abort in the middle of a long stream ends the work on the server too', async () => {
    const { provider } = llama(LLAMA_URL, { models: { '*': { body: { ignore_eos: true } } } });
    const base = LLAMA_URL ?? '';
    const controller = new AbortController();
    const askedFor = 7000;
    const result = streamText({
      model: provider(MODEL),
      prompt: 'Go on',
      seed: 3,
      maxOutputTokens: askedFor,
      abortSignal: controller.signal,
    });
    let task: number | undefined;
    const types: string[] = [];
    for await (const part of result.fullStream) {
      types.push(part.type);
      if (part.type !== 'text-delta' || controller.signal.aborted) continue;
      task = (await slotsOf(base)).find((slot) => slot.is_processing)?.id_task;
      controller.abort();
    }
    expect(types).toContain('abort');
    expect(types).not.toContain('finish');
    expect(task).toBeDefined();
    const slotOfTask = async () => (await slotsOf(base)).find((slot) => slot.id_task === task);
    await until(async () => (await slotOfTask())?.is_processing === false);
    // What the slot holds is the prompt and what was written: far less than it would have been in the end.
    expect((await slotOfTask())?.n_prompt_tokens).toBeLessThan(askedFor / 2);
  });
});

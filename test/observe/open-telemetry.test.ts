import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, createContextKey, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createResponsesProvider,
  type ObserverEvent,
  openTelemetry,
  type OpenTelemetryOptions,
  type ResponsesProviderSettings,
} from 'responses-loop';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';

const storage = new AsyncLocalStorage<Context>();

beforeAll(() => {
  context.setGlobalContextManager({
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (ctx, fn, self, ...args) => storage.run(ctx, () => fn.apply(self as never, args)),
    bind: (_ctx, target) => target,
    enable: () => context as never,
    disable: () => context as never,
  });
});
afterAll(() => context.disable());

function tracing() {
  const exporter = new InMemorySpanExporter();
  const starts: { readonly span: string; readonly tenant: unknown }[] = [];
  const provider = new BasicTracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor(exporter),
      {
        onStart: (span, parent) => void starts.push({ span: span.name, tenant: parent.getValue(TENANT) }),
        onEnd() {},
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans(), starts };
}

const TENANT = createContextKey('tenant');

async function play(
  settings: ResponsesProviderSettings = {},
  options?: OpenTelemetryOptions,
  steps = [calls('r1', ['slow', { n: 1 }, 'call']), says('r2', 'Done.')],
) {
  const traced = tracing();
  const slow = toolOf(() => new Promise((resolve) => setTimeout(() => resolve('the secret'), 40)));
  const { model } = await rig(steps.map(reply), {
    tools: { slow },
    onEvent: openTelemetry(traced.tracer, options),
    ...settings,
  });
  const outer = traced.tracer.startSpan('ai.streamText');
  const ctx = trace.setSpan(context.active(), outer).setValue(TENANT, 'ours');
  await context.with(ctx, () => generateText({ model, prompt: 'Go.', maxRetries: 0 })).catch(() => {});
  outer.end();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { ...traced, outer: outer as unknown as ReadableSpan };
}

const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name.startsWith(name));
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const endOf = (span: ReadableSpan | undefined) => (span?.endTime[0] ?? 0) * 1_000 + (span?.endTime[1] ?? 0) / 1e6;
const msOf = (span: ReadableSpan | undefined) => (span?.duration[0] ?? 0) * 1_000 + (span?.duration[1] ?? 0) / 1e6;

describe('openTelemetry', () => {
  it('makes a span for the call under the active one, and below it one for each round and each run of a tool', async () => {
    const { spans, outer } = await play();
    const [call] = named(spans(), 'responses-loop gpt-test');
    expect(call?.parentSpanContext?.spanId).toBe(idOf(outer));
    const below = [...named(spans(), 'responses-loop round'), ...named(spans(), 'responses-loop tool')];
    expect(below.map(({ name }) => name)).toEqual([
      'responses-loop round 0',
      'responses-loop round 1',
      'responses-loop tool slow',
    ]);
    expect(below.map((span) => span.parentSpanContext?.spanId)).toEqual(Array(3).fill(idOf(call)));
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(msOf(below[2])).toBeGreaterThan(30);
  });

  it('uses no name and no attribute of others, so that nothing is counted twice, and holds no content', async () => {
    const { spans } = await play();
    const own = spans().filter(({ name }) => name !== 'ai.streamText');
    const names = own.flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => !name.startsWith('responses_loop.'))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['responses_loop.usage.input_tokens', 'responses_loop.model']));
    expect(own.filter(({ name }) => /^(?:chat|execute_tool|ai\.|invoke_agent)/.test(name))).toEqual([]);
    expect(JSON.stringify(own.map(({ attributes, status }) => [attributes, status]))).not.toMatch(/the secret|"n"/);
  });

  it('adds arguments and outputs where that is asked for', async () => {
    const { spans } = await play({}, { recordContent: true });
    expect(named(spans(), 'responses-loop tool')[0]?.attributes).toMatchObject({
      'responses_loop.tool.arguments': '{"n":1}',
      'responses_loop.tool.output': 'the secret',
    });
  });

  describe('with genAi', () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 4 },
    };

    it('makes a `chat` of each round and an `execute_tool` of each run, under the names of the conventions', async () => {
      const { spans, outer } = await play({}, { genAi: true }, [
        { ...calls('r1', ['slow', { n: 1 }, 'call']), fields: { usage } },
        says('r2', 'Done.'),
      ]);
      const [call] = named(spans(), 'responses-loop');
      const chats = named(spans(), 'chat gpt-test');
      const [run] = named(spans(), 'execute_tool slow');
      expect(call?.parentSpanContext?.spanId).toBe(idOf(outer));
      expect([...chats, run].map((span) => span?.parentSpanContext?.spanId)).toEqual(Array(3).fill(idOf(call)));
      expect(spans()).toHaveLength(5);
      expect(chats[0]?.kind).toBe(SpanKind.CLIENT);
      expect(chats[0]?.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-test',
        'gen_ai.response.id': 'r1',
        'gen_ai.response.finish_reasons': ['tool-calls'],
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_read.input_tokens': 3,
        'gen_ai.usage.cache_write.input_tokens': 2,
        'gen_ai.usage.reasoning.output_tokens': 4,
      });
      expect(Number(chats[0]?.attributes['gen_ai.response.time_to_first_chunk'])).toBeLessThan(10);
      expect(run?.kind).toBe(SpanKind.INTERNAL);
      expect(run?.attributes).toMatchObject({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'slow',
        'gen_ai.tool.call.id': 'call',
        'gen_ai.tool.type': 'function',
      });
      expect(msOf(run)).toBeGreaterThan(30);
      expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toMatch(/the secret|"n"/);
    });

    it('has content only where that is asked for, under the names of the conventions', async () => {
      const { spans } = await play({}, { genAi: true, recordContent: true });
      expect(named(spans(), 'execute_tool')[0]?.attributes).toMatchObject({
        'gen_ai.tool.call.arguments': '{"n":1}',
        'gen_ai.tool.call.result': 'the secret',
      });
    });

    it('ends the span of a round with the answer, before its tools have ended', async () => {
      const { spans } = await play({}, { genAi: true });
      const [chat] = named(spans(), 'chat');
      const [run] = named(spans(), 'execute_tool');
      expect(endOf(run) - endOf(chat)).toBeGreaterThan(30);
      expect(Math.abs(msOf(chat) - Number(chat?.attributes['responses_loop.answer_ms']))).toBeLessThan(1);
    });

    it('names the HTTP status of a round that the server refused', async () => {
      const { tracer, spans } = tracing();
      const provider = createResponsesProvider({
        fetch: async () => Response.json({ error: { message: 'Busy.' } }, { status: 503 }),
        baseURL: 'https://model.example/v1',
        onEvent: openTelemetry(tracer, { genAi: true }),
      });
      await expect(generateText({ model: provider('m'), prompt: 'Hi', maxRetries: 0 })).rejects.toThrow('Busy.');
      expect(named(spans(), 'chat').map(({ attributes }) => attributes['error.type'])).toEqual(['503']);
    });

    it('names the class of an error', async () => {
      const failing = { slow: toolOf(() => Promise.reject(new Error('disk full'))) };
      const { spans } = await play({ tools: failing }, { genAi: true }, [
        calls('r1', ['slow', {}, 'c0']),
        { ...says('r2', 'Half'), status: 'failed' },
      ]);
      const failed = [...named(spans(), 'execute_tool'), ...named(spans(), 'chat').slice(-1)];
      expect(failed.map(({ status, attributes }) => [status.code, attributes['error.type']])).toEqual([
        [2, '_OTHER'],
        [2, '_OTHER'],
      ]);
      expect(named(spans(), 'chat')[0]?.status.code).toBe(0);
    });
  });

  it('marks calls and tools that failed, and ends every span, also those of an abort', async () => {
    const failing = { slow: toolOf(() => Promise.reject(new Error('disk full'))) };
    const failed = await play({ tools: failing });
    expect(named(failed.spans(), 'responses-loop tool')[0]?.status).toEqual({ code: 2 });
    const limited = await play({ limits: { callsPerRound: 1 } }, {}, [
      calls('r1', ['slow', {}, 'c1'], ['slow', {}, 'c2']),
    ]);
    expect(named(limited.spans(), 'responses-loop gpt-test')[0]).toMatchObject({
      status: { code: 2 },
      attributes: { 'responses_loop.error_code': 'limit' },
    });
    for (const { spans, starts } of [failed, limited]) expect(spans()).toHaveLength(starts.length);
  });

  it('keeps what else is in the context, given the context API', async () => {
    const { starts } = await play({}, { context });
    expect(starts.filter(({ span }) => span.startsWith('responses-loop')).map(({ tenant }) => tenant)).toEqual(
      Array(4).fill('ours'),
    );
  });

  it('misses nothing of a call that began before its code was loaded', async () => {
    const { tracer, spans } = tracing();
    const observe = openTelemetry(tracer);
    const parent = tracer.startSpan('outer');
    const before = Date.now();
    const events = [
      { type: 'call-start', callNumber: 1, modelId: 'm' },
      { type: 'round-start', callNumber: 1, round: 0, tools: [] },
      { type: 'round-end', callNumber: 1, round: 0, finishReason: 'stop', calls: 0, usage: {}, durationMs: 1 },
      { type: 'call-end', callNumber: 1, finishReason: 'stop', rounds: 1, durationMs: 2 },
      { type: 'a type of a later version', callNumber: 1 },
    ];
    context.with(trace.setSpan(context.active(), parent), () => {
      for (const event of events) observe(event as unknown as ObserverEvent);
    });
    await expect.poll(() => spans().length).toBe(2);
    const [round, call] = spans();
    expect([round?.parentSpanContext?.spanId, call?.parentSpanContext?.spanId]).toEqual([
      idOf(call),
      idOf(parent as never),
    ]);
    expect(call?.startTime[0]).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
  });

  it('takes ids of calls for nothing else, whatever a server makes of them', async () => {
    const { spans } = await play({}, {}, [
      calls('r1', ['slow', {}, 'call'], ['slow', {}, 'round']),
      says('r2', 'Done.'),
    ]);
    expect(named(spans(), 'responses-loop')).toHaveLength(5);
  });
});

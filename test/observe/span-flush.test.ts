import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { generateText, streamText } from 'ai';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { scriptedFetch, type ScriptedStep } from 'responses-loop/testing';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';

globalThis.AI_SDK_LOG_WARNINGS = false;

/** Longer than a call takes that no network slows down. */
const LOADING_MS = 200;

beforeEach(() => {
  vi.resetModules();
  vi.doMock('../../src/observe/open-telemetry.js', async (original) => {
    await new Promise((resolve) => setTimeout(resolve, LOADING_MS));
    return original();
  });
});

/** The real SDK, as a serverless function has it: nothing is exported before it is flushed. */
async function traced(steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}, isWrapped = false) {
  // Anew for each test: its call is the first one of the process.
  const { createResponsesProvider, openTelemetry } = await import('responses-loop');
  const exporter = new InMemorySpanExporter();
  const tracers = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const observe = openTelemetry(tracers.getTracer('test'));
  const provider = createResponsesProvider({
    baseURL: 'http://127.0.0.1:9/v1',
    apiKey: 'test',
    fetch: scriptedFetch(steps),
    tools: { slow: toolOf(async () => 'done') },
    onEvent: isWrapped ? (event) => observe(event) : observe,
    ...settings,
  });
  const flushed = async (): Promise<readonly ReadableSpan[]> => {
    await tracers.forceFlush();
    return exporter.getFinishedSpans();
  };
  return { model: provider('gpt-test'), provider, flushed };
}

async function drain(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _part of parts);
}

const names = (spans: readonly ReadableSpan[]): string[] => spans.map(({ name }) => name);
const STEPS = [calls('r1', ['slow', { n: 1 }, 'call']), says('r2', 'Done.')].map(reply);
const WHOLE = [
  'responses-loop round 0',
  'responses-loop tool slow',
  'responses-loop round 1',
  'responses-loop gpt-test',
].toSorted();

describe.each([
  ['the observer itself', false],
  ['an observer that calls it', true],
])('spans of the first call of a process that flushes right behind it, with %s', (_name, isWrapped) => {
  it('are all there, generated', async () => {
    const { model, flushed } = await traced(STEPS, {}, isWrapped);
    await generateText({ model, prompt: 'Go.' });
    expect(names(await flushed()).toSorted()).toEqual(WHOLE);
  });

  it.each<[string, (result: ReturnType<typeof streamText>) => PromiseLike<unknown>]>([
    ['by its text', ({ text }) => text],
    ['by its text stream', ({ textStream }) => drain(textStream)],
    ['by its parts', ({ fullStream }) => drain(fullStream)],
    ['by consuming it', (result) => result.consumeStream()],
  ])('are all there, streamed and read %s', async (_how, read) => {
    const { model, flushed } = await traced(STEPS, {}, isWrapped);
    await read(streamText({ model, prompt: 'Go.' }));
    expect(names(await flushed()).toSorted()).toEqual(WHOLE);
  });

  it('are all there when the model stream hands out its last part', async () => {
    const { model, flushed } = await traced(STEPS, {}, isWrapped);
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }] });
    for await (const part of stream as AsyncIterable<{ type: string }>)
      if (part.type === 'finish') expect(names(await flushed()).toSorted()).toEqual(WHOLE);
  });

  it('are all there after an error, generated and streamed', async () => {
    const failing: ScriptedStep = { status: 400, json: { error: { message: 'No.' } } };
    const generated = await traced([failing], {}, isWrapped);
    await expect(generateText({ model: generated.model, prompt: 'Go.', maxRetries: 0 })).rejects.toThrow('No.');
    expect(names(await generated.flushed())).toEqual(['responses-loop round 0', 'responses-loop gpt-test']);
    const streamed = await traced([failing], {}, isWrapped);
    await streamText({ model: streamed.model, prompt: 'Go.', maxRetries: 0, onError: () => {} }).consumeStream();
    expect(names(await streamed.flushed())).toEqual(['responses-loop round 0', 'responses-loop gpt-test']);
  });

  it('are all there after an abort, generated and streamed', async () => {
    const whole = ['responses-loop gpt-test', 'responses-loop round 0', 'responses-loop tool slow'];
    const aborting = async () => {
      const stop = new AbortController();
      const tools = {
        slow: toolOf(async () => {
          stop.abort();
          return 'done';
        }),
      };
      return { ...(await traced(STEPS.slice(0, 1), { tools }, isWrapped)), abortSignal: stop.signal };
    };
    const generated = await aborting();
    await generateText({ ...generated, prompt: 'Go.', maxRetries: 0 }).catch(() => {});
    expect(names(await generated.flushed()).toSorted()).toEqual(whole);
    const streamed = await aborting();
    await streamText({ ...streamed, prompt: 'Go.', onError: () => {} }).consumeStream();
    expect(names(await streamed.flushed()).toSorted()).toEqual(whole);
  });
});

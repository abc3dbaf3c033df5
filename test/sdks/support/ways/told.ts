import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { generateText, streamText } from 'ai';
import { responseEvents } from 'responses-loop/testing';
import { calls, reply, says, splitBefore } from '../../../acceptance/support/rig.js';
import { adder, toolOf } from '../../../acceptance/support/tools.js';
import { fullPartsOf, type Loose, sdk, uiMessageOf } from '../sdk.js';
import { type Checks, five, going, later, type Way } from './going.js';

/** Names of callbacks by how often the AI SDK calls them, in a call with two requests and one run of a tool. */
async function heard(way: Way, names: readonly string[], options = (on: object): object => on) {
  const { call, requests } = await going(way, { tools: { add: adder().add } });
  const times: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  const on = Object.fromEntries(names.map((name) => [name, () => void (times[name] = (times[name] ?? 0) + 1)]));
  await generateText({ ...call, ...options(on) });
  return { times: Object.values(times), requests: requests.length };
}

/** Spans of models and tools of `ai` 5 and 6. */
async function spansOf(way: Way): Promise<{ models: number; tools: number; requests: number }> {
  const exporter = new InMemorySpanExporter();
  const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const { call, requests } = await going(way, { tools: { add: adder().add } });
  const telemetry = { isEnabled: true, tracer: tracing.getTracer('test') };
  await generateText({ ...call, experimental_telemetry: telemetry });
  const named = (name: string): number => exporter.getFinishedSpans().filter((span) => span.name === name).length;
  return { models: named('ai.generateText.doGenerate'), tools: named('ai.toolCall'), requests: requests.length };
}

/** What an app is told of our tools: callbacks, telemetry, parts. */
export const TOLD: Checks = {
  async 'onToolExecutionStart, onToolExecutionEnd'(way) {
    const names =
      sdk === 6
        ? ['experimental_onToolCallStart', 'experimental_onToolCallFinish']
        : ['onToolExecutionStart', 'onToolExecutionEnd'];
    return (await heard(way, names)).times.join() === '1,1';
  },

  async 'onStepFinish, onStepEnd'(way) {
    const both = [await heard(way, ['onStepFinish']), ...(sdk === 7 ? [await heard(way, ['onStepEnd'])] : [])];
    return both.every(({ times, requests }) => times[0] === requests);
  },

  async 'onLanguageModelCallStart, onLanguageModelCallEnd'(way) {
    const { times, requests } = await heard(way, ['onLanguageModelCallStart', 'onLanguageModelCallEnd']);
    return times.every((count) => count === requests);
  },

  async 'experimental_telemetry, telemetry'(way) {
    if (sdk !== 7) {
      const { models, tools, requests } = await spansOf(way);
      return models === requests && tools === 1;
    }
    const names = ['onLanguageModelCallEnd', 'onToolExecutionEnd'];
    const { times, requests } = await heard(way, names, (on) => ({ telemetry: { integrations: [on] } }));
    return times.join() === `${requests},1`;
  },

  async 'preliminary results'(way) {
    const walk = toolOf(async function* () {
      yield 'the gate';
      await new Promise((resolve) => setImmediate(resolve));
      yield 'the pond';
    });
    const { call } = await going(way, { tools: { walk } }, [reply(calls('resp_1', ['walk', {}, 'call_1'])), five]);
    const parts = await fullPartsOf(streamText(call));
    return parts.some((part) => part.type === 'tool-result' && part['preliminary'] === true);
  },

  async 'UI messages (`useChat`)'(way) {
    const { call } = await going(way, { tools: { add: adder().add } });
    const { parts } = await uiMessageOf(streamText(call));
    const tools = (parts as unknown as Loose[]).filter(({ type }) => type === 'dynamic-tool');
    return tools.length === 1 && tools[0]?.['state'] === 'output-available' && tools[0]?.['output'] === '5';
  },

  async 'finish reason `interrupted`'(way) {
    const events = splitBefore(responseEvents(says('resp_1', 'Five and')), 'response.output_text.done')[0];
    const { call } = await going(way, { tools: { add: adder().add } }, [{ events, ending: 'reset' }]);
    const result = streamText({ ...call, onError: () => {} });
    await result.consumeStream();
    const reason: string = await result.finishReason;
    return reason === 'interrupted';
  },

  async 'request.url'(way) {
    const { call } = await going(way, { tools: { add: adder().add } });
    const { request } = await generateText({ ...call, ...later({ include: { requestBody: true } }) });
    return String((request as Loose)['url']).startsWith('http://');
  },

  async 'stream part `ping`'(way) {
    const { call } = await going(way, { tools: { add: adder().add } });
    return (await fullPartsOf(streamText(call))).some(({ type }) => type === 'ping');
  },
};

import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createScriptedServer } from 'responses-loop/testing';
import { openTelemetry } from 'responses-loop/v3';
import { expect, onTestFinished, test } from 'vitest';

import { createAgent, createMemoryPersister } from '../../src/index.js';

test('a turn is traced: spans of the provider and of the AI SDK, with its tools and rounds in one trace', async () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test');
  const call = { type: 'call', name: 'look', arguments: {} } as const;
  const server = await createScriptedServer({ steps: [{ output: [call] }, 'It is calm.'] });
  onTestFinished(() => server.close());
  const seen: string[] = [];
  const ofProvider = openTelemetry(tracer);
  const agent = createAgent(
    {
      ...{ workspace: '/pond', model: 'any', apiKey: 'test', baseUrl: server.baseURL },
      tools: { look: { readOnly: true, execute: () => 'calm' } },
      telemetry: { isEnabled: true, functionId: 'pond', tracer },
      onEvent: Object.assign((event: Parameters<typeof ofProvider>[0]) => {
        seen.push(event.type);
        ofProvider(event);
      }, ofProvider),
    },
    { persister: createMemoryPersister() },
  );
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  await agent.chat('How is the pond?');
  expect(seen).toEqual(expect.arrayContaining(['call-start', 'tool-start', 'tool-end', 'call-end']));
  const spans = exporter.getFinishedSpans();
  const named = (name: string) => spans.filter((span) => span.name.startsWith(name));
  expect(named('ai.streamText').length).toBeGreaterThan(0);
  expect(named('ai.streamText')[0]?.attributes['ai.telemetry.functionId']).toBe('pond');
  const [tool] = named('responses-loop tool look');
  const ofTrace = spans.filter(
    (span) => span.spanContext().traceId === tool?.spanContext().traceId && span.name.startsWith('responses-loop'),
  );
  expect(ofTrace.length).toBeGreaterThanOrEqual(3);
  const parents = new Set(spans.map((span) => span.spanContext().spanId));
  expect(parents.has(tool?.parentSpanContext?.spanId ?? '')).toBe(true);
});

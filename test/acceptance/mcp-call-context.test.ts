import { AsyncLocalStorage } from 'node:async_hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  createResponsesProvider,
  type McpCallContext,
  observers,
  type ObserverEvent,
  openTelemetry,
} from 'responses-loop';
import { overHttp, overStdio } from '../tools/mcp/modern/run-server.js';
import { calls, reply, rig, says } from './support/rig.js';
import { outputs } from './support/wire.js';

type Meta = Record<string, unknown>;

const metaOf = (text: unknown): Meta => (JSON.parse(String(text)) as { meta: Meta }).meta;

const twoCalls = [
  reply(calls('resp_1', ['meta', {}, 'call_1'], ['meta', {}, 'call_2'])),
  reply(says('resp_2', 'Done.')),
];

describe('what goes along with a call of an MCP tool', () => {
  it('is what `meta` says, for each call by itself', async () => {
    const asked: McpCallContext[] = [];
    const { model, requests } = await rig(twoCalls, {
      mcpServers: {
        s: {
          ...overStdio('serve'),
          meta: async (call) => {
            asked.push(call);
            return { 'acme.example/tenant': `t-${call.callId}` };
          },
        },
      },
    });
    await generateText({ model, prompt: 'Go.' });
    const seen = outputs(requests[1]).map(([, output]) => metaOf(output)['acme.example/tenant']);
    expect(seen).toEqual(['t-call_1', 't-call_2']);
    expect(asked.map(({ callId, tool }) => [callId, tool])).toEqual([
      ['call_1', 'meta'],
      ['call_2', 'meta'],
    ]);
    expect(asked[0]?.signal).toBeInstanceOf(AbortSignal);
  });

  it.each(['serve', 'reject'] as const)(
    'has a key of its own, also where the ids of the model server repeat (%s)',
    async (legacy) => {
      const keys: unknown[] = [];
      for (const _conversation of [1, 2]) {
        const { model, requests } = await rig(twoCalls, { mcpServers: { s: overStdio(legacy) } });
        await generateText({ model, prompt: 'Go.' });
        keys.push(...outputs(requests[1]).map(([, output]) => metaOf(output)['responses-loop/idempotency-key']));
      }
      expect(keys).toHaveLength(4);
      expect(new Set(keys).size).toBe(4);
      for (const key of keys) expect(key).toMatch(/call_[12]$/);
    },
  );

  it('fails only the call, before anything is sent, where `meta` fails', async () => {
    const server = await overHttp('reject');
    const { model, requests } = await rig(twoCalls, {
      mcpServers: {
        s: {
          url: server.url,
          meta: ({ callId }) => {
            if (callId === 'call_1') throw new TypeError('the token of X is 12345');
            return callId === 'call_2' ? { ok: true } : {};
          },
        },
      },
    });
    await generateText({ model, prompt: 'Go.' });
    const [first, second] = outputs(requests[1]);
    expect(first?.[1]).toContain('`meta` function of its server failed (TypeError)');
    expect(first?.[1]).not.toContain('12345');
    expect(metaOf(second?.[1])).toMatchObject({ ok: true });
    expect((await server.seen()).filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1);
  });

  it.each(['serve', 'reject'] as const)('are the headers of the call, and of nobody else (%s)', async (legacy) => {
    const server = await overHttp(legacy);
    const user = new AsyncLocalStorage<string>();
    await using provider = createResponsesProvider({
      baseURL: 'http://127.0.0.1:9',
      mcpServers: {
        s: {
          url: server.url,
          headers: (call) => ({
            'X-Call': call === undefined ? 'none' : `${call.tool} ${call.callId} ${user.getStore()}`,
          }),
        },
      },
    });
    await provider.listTools();
    const { model } = await rig(twoCalls, {
      mcpServers: {
        s: { url: server.url, headers: (call) => ({ 'X-Call': `${call?.tool} ${call?.callId} ${user.getStore()}` }) },
      },
    });
    await user.run('ann', () => generateText({ model, prompt: 'Go.' }));
    const seen = await server.seen();
    const called = seen.filter(({ body }) => body?.method === 'tools/call');
    expect(new Set(called.map(({ headers }) => headers['x-call']))).toEqual(
      new Set(['meta call_1 ann', 'meta call_2 ann']),
    );
    expect(seen.some(({ headers }) => headers['x-call'] === 'none')).toBe(true);
  });

  it('is the span of the tool where the provider traces', async () => {
    const events: ObserverEvent[] = [];
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const onEvent = Object.assign((event: ObserverEvent) => void events.push(event), {
      [Symbol.for('responses-loop.traceparent')]: ({ callId }: { callId: string }) =>
        callId === 'call_1' ? traceparent : undefined,
    });
    const { model, requests } = await rig(twoCalls, { mcpServers: { s: overStdio('serve') }, onEvent });
    await generateText({ model, prompt: 'Go.' });
    const [first, second] = outputs(requests[1]).map(([, output]) => metaOf(output));
    expect(first).toMatchObject({ traceparent });
    expect(second).not.toHaveProperty('traceparent');
  });

  it('is the span that openTelemetry made of the run, also as one observer of several', async () => {
    const exporter = new InMemorySpanExporter();
    const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test');
    const onEvent = observers(() => {}, openTelemetry(tracer));
    const { model, requests } = await rig(twoCalls, { mcpServers: { s: overStdio('serve') }, onEvent });
    await generateText({ model, prompt: 'Go.' });
    const spans = exporter.getFinishedSpans().filter(({ name }) => name === 'responses-loop tool meta');
    const ofRuns = new Map(spans.map((span) => [span.attributes['responses_loop.tool.call_id'], span.spanContext()]));
    for (const [callId, output] of outputs(requests[1])) {
      const { traceId, spanId } = ofRuns.get(callId) ?? {};
      expect(metaOf(output)['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
    }
    expect(ofRuns.size).toBe(2);
  });
});

import { type Context, context, type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { createResponsesProvider, type Observer } from 'responses-loop';

/** A span per call, with one per round and per tool run below it. */
function toSpans(tracer: Tracer): Observer {
  const open = new Map<string, Span>();
  const start = (
    key: string,
    name: string,
    parent: string | undefined,
    attributes: Record<string, string | number>,
  ) => {
    const above = parent === undefined ? undefined : open.get(parent);
    const where: Context = above === undefined ? context.active() : trace.setSpan(context.active(), above);
    open.set(key, tracer.startSpan(name, { attributes }, where));
  };
  const end = (key: string, attributes: Record<string, string | number>, failure?: string) => {
    const span = open.get(key)?.setAttributes(attributes);
    if (failure !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    span?.end();
    open.delete(key);
  };
  return (event) => {
    switch (event.type) {
      case 'call-start':
        return start(`call ${event.callNumber}`, `chat ${event.modelId}`, undefined, {
          'gen_ai.request.model': event.modelId,
        });
      case 'call-end':
        return end(
          `call ${event.callNumber}`,
          { 'responses_loop.rounds': event.rounds, 'gen_ai.response.finish_reason': event.finishReason },
          event.error?.message,
        );
      case 'round-start':
        return start(`round ${event.callNumber}`, `round ${event.round}`, `call ${event.callNumber}`, {});
      case 'round-end':
        return end(`round ${event.callNumber}`, {
          'gen_ai.usage.input_tokens': event.usage.inputTokens ?? 0,
          'gen_ai.usage.output_tokens': event.usage.outputTokens ?? 0,
          'responses_loop.first_part_ms': event.firstPartMs ?? event.durationMs,
        });
      case 'retry':
        return void open.get(`round ${event.callNumber}`)?.addEvent('retry', { reason: event.reason });
      case 'tool-start':
        return start(`${event.callNumber} ${event.callId}`, `execute_tool ${event.tool}`, `call ${event.callNumber}`, {
          'gen_ai.tool.name': event.tool,
          'responses_loop.tool_source': event.source,
        });
      case 'tool-end':
        return end(`${event.callNumber} ${event.callId}`, {}, event.isError ? event.output : undefined);
      default: // HTTP, keys, progress and the like have no length of their own.
    }
  };
}

const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
});
const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
  onEvent: toSpans(tracerProvider.getTracer('my-app')),
});

const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it?' });
console.log(text);
await tracerProvider.shutdown();

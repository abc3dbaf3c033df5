import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { createResponsesProvider, openTelemetry } from 'responses-loop/ai5';

// Whatever sets your spans up: the Node SDK of OpenTelemetry, Langfuse, Braintrust, Phoenix.
const tracerProvider = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())],
});
trace.setGlobalTracerProvider(tracerProvider);

const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
  onEvent: openTelemetry(trace.getTracer('my-app')),
});

const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it?' });
console.log(text);
await tracerProvider.shutdown();

import type { Observer } from '../observe/event.js';
import type { OpenTelemetryOptions, Tracing } from '../observe/open-telemetry.js';
import type { SpanTracer } from '../observe/span.js';
import { loadsCode, TRACEPARENT, type TracingObserver } from '../observe/notify.js';

/**
 * Spans for what happens inside calls: one for each call, under whatever span is active, and below it one for each round and
 * each run of a tool, with its true length. `tracer` is one of OpenTelemetry, taken by its shape. Unless `genAi` asks for
 * others, names and attributes are all this package's own (`responses-loop …`, `responses_loop.…`), so that nothing is
 * counted twice beside the telemetry of the AI SDK. One for each provider: calls are distinguished by their numbers.
 *
 * @example
 * createResponsesProvider({ onEvent: openTelemetry(trace.getTracer('my-app')) });
 */
export function openTelemetry(tracer: SpanTracer, options?: OpenTelemetryOptions): Observer {
  let tracing: Tracing | undefined;
  // Loaded here, so that only those who trace have it.
  const load = async (): Promise<Tracing> => {
    const { createTracing } = await import('../observe/open-telemetry.js');
    return (tracing ??= createTracing(tracer, options));
  };
  const loading = load();
  loadsCode(load, loading);
  const observer: TracingObserver = (event) => {
    const at = Date.now();
    if (tracing !== undefined) return tracing.write(event, at);
    // A continuation runs in the asynchronous context of its event, in which the right span is active.
    loading.then(({ write }) => write(event, at, at)).catch(() => {});
  };
  observer[TRACEPARENT] = (run) => tracing?.traceparent(run);
  return observer;
}

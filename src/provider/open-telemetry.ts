import type { Observer } from '../observe/event.js';
import type { OpenTelemetryOptions, Tracing } from '../observe/open-telemetry.js';
import type { SpanTracer } from '../observe/span.js';
import { loadsCode, TRACEPARENT, type TracingObserver } from '../observe/notify.js';

/**
 * Writes spans: one for each call, under the active span, and below it one for each round and each run of a tool, with
 * its true length. `tracer` is an OpenTelemetry tracer, or any object of its shape. Unless `genAi` is set, names and
 * attributes are this package's own (`responses-loop …`, `responses_loop.…`), so that sums do not count them in
 * addition to the AI SDK's telemetry. Use one for each provider, because calls are distinguished by their numbers.
 *
 * @example
 * createResponsesProvider({ onEvent: openTelemetry(trace.getTracer('my-app')) });
 */
export function openTelemetry(tracer: SpanTracer, options?: OpenTelemetryOptions): Observer {
  let tracing: Tracing | undefined;
  // Loaded here, so that only its users load it.
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

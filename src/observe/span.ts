/** The members of an OpenTelemetry tracer that spans need. */
export interface SpanTracer {
  /** Begins a span, as a child of the span in `context`. */
  startSpan(name: string, options?: SpanStart, context?: SpanContext): TracedSpan;
}

export interface TracedSpan {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  addEvent(name: string, attributes?: SpanAttributes): unknown;
  /** `endTime`: in milliseconds since the epoch. @default now */
  end(endTime?: number): void;
  /** Ids of the span, as W3C trace context has them. */
  spanContext?(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
}

export type SpanAttributes = Record<string, string | number | boolean | string[]>;

export interface SpanStart {
  attributes?: SpanAttributes;
  /** A `SpanKind` of OpenTelemetry. @default internal */
  kind?: number;
  /** Milliseconds since the epoch. @default now */
  startTime?: number;
}

/** A `Context` of OpenTelemetry. */
export interface SpanContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): SpanContext;
  deleteValue(key: symbol): SpanContext;
}

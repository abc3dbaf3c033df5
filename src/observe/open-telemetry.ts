import { defined } from '../util/defined.js';
import { excerpt } from '../util/excerpt.js';
import type { ObserverEvent, ToolPlace } from './event.js';
import { GEN_AI_WORDS, OWN_WORDS, type SpanWords } from './gen-ai.js';
import type { SpanAttributes, SpanContext, SpanTracer, TracedSpan } from './span.js';

/** Options of `openTelemetry`: contents of spans in addition to names, times and numbers. */
export interface OpenTelemetryOptions {
  /**
   * `context` of `@opentelemetry/api`. With it the spans of rounds and tools keep other values of the context
   * (baggage). The active span counts in any case.
   */
  readonly context?: { active(): SpanContext } | undefined;
  /** Adds arguments and outputs of tools, up to 2,000 characters. @default `false`: spans have no content */
  readonly recordContent?: boolean | undefined;
  /**
   * Names the spans of rounds `chat <model>` and those of tools `execute_tool <name>`, and adds the `gen_ai.*`
   * attributes of the GenAI semantic conventions. Together with `@ai-sdk/otel`, sums over them count twice.
   * @default `false`
   * @example
   * openTelemetry(trace.getTracer('my-app'), { genAi: true })
   */
  readonly genAi?: boolean | undefined;
}

type EventOf<T extends ObserverEvent['type']> = Extract<ObserverEvent, { type: T }>;

/** Writes spans, and returns the span in which a tool runs. */
export interface Tracing {
  /** `at`: the time of the event, in milliseconds since the epoch; `startTime` the same, if that is not now. */
  readonly write: (event: ObserverEvent, at: number, startTime?: number) => void;
  readonly traceparent: (run: { readonly callNumber: number; readonly callId: string }) => string | undefined;
}

/** The open spans of one call, by their subjects. */
type OpenSpans = Map<string, TracedSpan>;

interface TracedCall {
  readonly open: OpenSpans;
  readonly modelId: string;
  /** When the latest round began. */
  roundAt?: number;
  /** The HTTP status of the latest request, if it has a response. */
  status?: number | undefined;
}

const CALL = 'call';
const ROUND = 'round';
/** The key of the active span in OpenTelemetry's API. */
const ACTIVE_SPAN = Symbol.for('OpenTelemetry Context Key SPAN');
const ERROR = 2;
const MAX_CONTENT_CHARS = 2_000;

/** A span for each call, and below it one for each round and each run of a tool. */
export function createTracing(
  tracer: SpanTracer,
  { context, recordContent = false, genAi = false }: OpenTelemetryOptions = {},
): Tracing {
  const words = genAi ? GEN_AI_WORDS : OWN_WORDS;
  const calls = new Map<number, TracedCall>();
  const write: Tracing['write'] = (event, at, startTime) => {
    if (!('callNumber' in event) || isOld(event)) return;
    if (event.type === 'call-start' && !calls.has(event.callNumber))
      calls.set(event.callNumber, { open: new Map(), modelId: event.modelId });
    const call = calls.get(event.callNumber);
    if (call === undefined) return;
    const { open } = call;
    const start: SpanScope['start'] = (key, { name, kind, attributes: named }, attributes) => {
      open.get(key)?.end();
      const parent = open.get(CALL);
      const options = {
        attributes: { ...named, ...attributes },
        // Its end is passed too, and two clocks could put it before the start.
        ...defined({ kind, startTime: key === ROUND ? at : startTime }),
      };
      const span =
        parent === undefined
          ? tracer.startSpan(name, options)
          : tracer.startSpan(name, options, withValues(new Map([[ACTIVE_SPAN, parent]]), context?.active()));
      open.set(key, span);
    };
    const scope: SpanScope = { call, at, open, start, recordContent, words };
    // Each row handles only events of its own type.
    (ROWS[event.type] as ((event: ObserverEvent, scope: SpanScope) => void) | undefined)?.(event, scope);
    if (event.type === 'call-end') calls.delete(event.callNumber);
  };
  const traceparent: Tracing['traceparent'] = ({ callNumber, callId }) => {
    const span = calls.get(callNumber)?.open.get(toolKey({ callId }))?.spanContext?.();
    return span === undefined
      ? undefined
      : `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
  };
  return { write, traceparent };
}

/** Rounds and runs from a journal had their spans in the earlier attempt. */
function isOld({ type, replayed }: ObserverEvent): boolean {
  return replayed === true && type !== 'call-start' && type !== 'call-end';
}

interface SpanScope {
  readonly open: OpenSpans;
  readonly start: (key: string, how: ReturnType<SpanWords['round']>, attributes: SpanAttributes) => void;
  readonly recordContent: boolean;
  readonly words: SpanWords;
  readonly call: TracedCall;
  /** The time of the event. */
  readonly at: number;
}

const ROWS: { readonly [T in ObserverEvent['type']]?: (event: EventOf<T>, scope: SpanScope) => void } = {
  'call-start': ({ modelId, callNumber }, { start }) =>
    start(
      CALL,
      { name: `responses-loop ${modelId}` },
      { 'responses_loop.model': modelId, 'responses_loop.call': callNumber },
    ),
  'call-end': ({ rounds, finishReason, error }, { open }) => {
    const span = open.get(CALL);
    open.delete(CALL);
    // Spans that an abort left open end here.
    for (const rest of open.values()) rest.end();
    span?.setAttributes({ 'responses_loop.rounds': rounds, 'responses_loop.finish_reason': finishReason });
    if (error !== undefined) span?.setStatus({ code: ERROR, message: error.message });
    if (error?.code !== undefined) span?.setAttributes({ 'responses_loop.error_code': error.code });
    span?.end();
  },
  'round-start': (event, { call, at, start, words }) => {
    call.roundAt = at;
    start(ROUND, words.round(event, call.modelId), {
      'responses_loop.round': event.round,
      'responses_loop.tools_offered': event.tools.length,
    });
  },
  request: (_event, { call }) => void (call.status = undefined),
  response: ({ status }, { call }) => void (call.status = status),
  'round-end': (event, { call: { roundAt = 0, status }, open, words }) => {
    const { finishReason, calls, usage, responseId, firstPartMs, answerMs } = event;
    if (words.endsWithAnswer && finishReason === 'error') open.get(ROUND)?.setStatus({ code: ERROR });
    const attributes = {
      ...words.roundEnd(event, status),
      'responses_loop.finish_reason': finishReason,
      'responses_loop.calls': calls,
      ...present({
        'responses_loop.response_id': responseId,
        'responses_loop.first_part_ms': firstPartMs,
        'responses_loop.answer_ms': answerMs,
        'responses_loop.usage.input_tokens': usage.inputTokens,
        'responses_loop.usage.cached_input_tokens': usage.cachedInputTokens,
        'responses_loop.usage.output_tokens': usage.outputTokens,
        'responses_loop.usage.reasoning_tokens': usage.reasoningTokens,
      }),
    };
    end(open, ROUND, attributes, words.endsWithAnswer && answerMs !== undefined ? roundAt + answerMs : undefined);
  },
  'tool-start': (event, { start, recordContent, words }) =>
    start(toolKey(event), words.tool(event), {
      ...placeOf(event),
      ...(recordContent ? { [words.content[0]]: clip(JSON.stringify(event.arguments)) } : {}),
    }),
  'tool-end': (event, { open, recordContent, words }) => {
    const { isError, output } = event;
    const message = recordContent ? { message: clip(output) } : {};
    if (isError) open.get(toolKey(event))?.setStatus({ code: ERROR, ...message });
    const content: SpanAttributes = recordContent ? { [words.content[1]]: clip(output) } : {};
    end(open, toolKey(event), { ...words.toolEnd(event), 'responses_loop.tool.is_error': isError, ...content });
  },
  fallback: ({ uses, because }, { open }) =>
    addEvent(open, CALL, 'fallback', { 'responses_loop.uses': uses, 'responses_loop.because': because }),
  retry: ({ attempt, reason, status }, { open }) =>
    addEvent(open, ROUND, 'retry', { attempt, reason, ...present({ status }) }),
  'transport-fallback': ({ reason }, { open }) => addEvent(open, ROUND, 'transport fallback', { reason }),
  resume: ({ attempt, after }, { open }) => addEvent(open, ROUND, 'resume', { attempt, after }),
  key: ({ what, key }, { open }) => addEvent(open, ROUND, `key ${what}`, { key }),
  'tool-retry': (event, { open }) =>
    addEvent(open, toolKey(event), 'retry', { attempt: event.attempt, reason: event.reason }),
  'tool-approval': (event, { open }) =>
    addEvent(open, CALL, 'tool approval', { ...placeOf(event), 'responses_loop.approved': event.approved }),
  'tool-approval-request': (event, { open }) => addEvent(open, CALL, 'tool approval request', placeOf(event)),
};

/** Servers choose ids of calls. */
function toolKey({ callId }: Pick<ToolPlace, 'callId'>): string {
  return `tool ${callId}`;
}

function placeOf({ tool, source, callId, round }: ToolPlace): SpanAttributes {
  return {
    'responses_loop.tool.name': tool,
    'responses_loop.tool.source': source,
    'responses_loop.tool.call_id': callId,
    'responses_loop.round': round,
  };
}

function end(open: OpenSpans, key: string, attributes: SpanAttributes, endTime?: number): void {
  const span = open.get(key);
  open.delete(key);
  span?.setAttributes(attributes);
  span?.end(endTime);
}

/** On the event's own span, else on the call's. */
function addEvent(open: OpenSpans, key: string, name: string, attributes: SpanAttributes): void {
  (open.get(key) ?? open.get(CALL))?.addEvent(name, attributes);
}

function present(attributes: Readonly<Record<string, string | number | undefined>>): SpanAttributes {
  return defined(attributes) as SpanAttributes;
}

function clip(text: string | undefined): string {
  return excerpt(text ?? '', MAX_CONTENT_CHARS);
}

function withValues(values: ReadonlyMap<symbol, unknown>, base: SpanContext | undefined): SpanContext {
  return {
    getValue: (key) => (values.has(key) ? values.get(key) : base?.getValue(key)),
    setValue: (key, value) => withValues(new Map([...values, [key, value]]), base),
    deleteValue: (key) => withValues(new Map([...values, [key, undefined]]), base),
  };
}

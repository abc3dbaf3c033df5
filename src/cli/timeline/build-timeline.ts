import type { EventLine, FileLine } from '../../node/event-format.js';
import { asId, asNumber, asString, rowOf } from '../../util/guards.js';
import { CacheMarks } from './cache-marks.js';
import { CallBuilder, type Event, type Line, markOf } from './call-builder.js';
import { Conversations, sumConversations } from './conversations.js';
import type { CallView, MarkView, Timeline, Tone } from './model.js';
import { Texts } from './texts.js';

export interface BuiltTimeline {
  readonly timeline: Timeline;
  /**
   * Texts that the page reads on demand, as JSON: first arguments and outputs, then each recorder's parts of requests.
   */
  readonly groups: readonly (readonly string[])[];
}

/** One recorder. */
interface Run {
  readonly group: number;
  readonly parts: Texts;
  readonly cache: CacheMarks;
  readonly conversations: Conversations;
  /** The number of parts at the previous event. */
  known: number;
  readonly calls: Map<number, CallBuilder>;
}

type Handler = (call: CallBuilder, line: Line) => void;

const show = (value: unknown): string => asString(value) ?? (value === undefined ? '' : JSON.stringify(value));

function mark(kind: string, tone: Tone, say: (event: Event) => string): Handler {
  return (call, { event, at }) => call.mark(kind, tone, { event, at, text: say(event) });
}

const HANDLERS: Readonly<Record<string, Handler>> = {
  'call-end': (call, { event, at }) => call.end(event, at),
  'round-start': (call, { event, at }) => call.startRound(event, at),
  'round-end': (call, { event, at }) => call.endRound(event, at),
  request: (call, line) => call.request(line),
  response: (call, { event, at }) => call.answer(event, at),
  'request-error': (call, line) => {
    call.answer(line.event, line.at);
    mark('request failed', 'bad', ({ message }) => show(message))(call, line);
  },
  retry: mark(
    'retry',
    'warn',
    ({ attempt, delayMs, reason, status }) =>
      `attempt ${show(attempt)} in ${show(delayMs)} ms: ${show(reason)}${status === undefined ? '' : ` (${show(status)})`}`,
  ),
  fallback: (call, line) => {
    const { uses, because, error } = line.event;
    const tone = because === 'failure' || because === 'circuit' ? 'warn' : 'info';
    mark(
      'fallback',
      tone,
      () => `${show(uses)}, because: ${show(because)}${error === undefined ? '' : `: ${show(error)}`}`,
    )(call, line);
  },
  'transport-fallback': mark('transport', 'warn', ({ reason }) => `over HTTP: ${show(reason)}`),
  resume: mark('resume', 'warn', ({ attempt, after }) => `attempt ${show(attempt)} behind event ${show(after)}`),
  key: (call, line) => {
    const { key, what, reason } = line.event;
    const tone = what === 'chosen' ? 'info' : 'warn';
    mark(
      'key',
      tone,
      () => `${show(key)} ${show(what)}${asId(reason) === undefined ? '' : `: ${show(reason)}`}`,
    )(call, line);
  },
  warning: mark('warning', 'warn', ({ message }) => show(message)),
  'tool-start': (call, { event, at }) => call.startTool(event, at),
  'tool-approval-request': (call, { event, at }) => call.askUser(event, at),
  'tool-approval': (call, { event, at }) => call.approve(event, at),
  'tool-progress': (call, { event, at }) => {
    const { progress, total, message } = event;
    const of = total === undefined ? '' : `/${show(total)}`;
    call.tool(event, at).notes.push(`progress ${show(progress)}${of}${asId(message) ? `: ${show(message)}` : ''}`);
  },
  'tool-retry': (call, line) => {
    const { event, at } = line;
    call
      .tool(event, at)
      .notes.push(`retry ${show(event['attempt'])} in ${show(event['delayMs'])} ms: ${show(event['reason'])}`);
    mark('tool retry', 'warn', ({ tool, reason }) => `${show(tool)}: ${show(reason)}`)(call, line);
  },
  'tool-end': (call, { event, at }) => call.endTool(event, at),
};

/** Events outside of calls. */
const OUTSIDE: Readonly<Record<string, readonly [tone: Tone, say: (event: Event) => string]>> = {
  'mcp-connect': [
    'info',
    ({ server, tools, durationMs }) => `"${show(server)}" connected: ${show(tools)} tools, ${show(durationMs)} ms`,
  ],
  'mcp-error': ['bad', ({ server, message }) => `"${show(server)}": ${show(message)}`],
  socket: [
    'info',
    ({ what, rounds, ageMs, reason }) =>
      `${show(what)} after ${show(rounds)} requests, ${show(ageMs)} ms${asId(reason) ? `: ${show(reason)}` : ''}`,
  ],
  warning: ['warn', ({ message }) => show(message)],
};

/** Assembles the lines of a file; the order of several recorders does not matter. */
export async function buildTimeline(
  lines: AsyncIterable<FileLine>,
  { source, odd }: { readonly source: string; readonly odd: () => number },
): Promise<BuiltTimeline> {
  const own = new Texts();
  const runs = new Map<string, Run>();
  const calls: CallBuilder[] = [];
  const outside: MarkView[] = [];
  const firsts = new Map<CallView, number>();
  let lost = 0;

  const runOf = (name: string): Run => {
    const known = runs.get(name);
    if (known !== undefined) return known;
    const parts = new Texts();
    const [cache, conversations] = [new CacheMarks(parts), new Conversations()];
    const run: Run = { group: runs.size + 1, parts, cache, conversations, known: 0, calls: new Map() };
    runs.set(name, run);
    return run;
  };

  const start = ({ event, at }: Pick<EventLine, 'event' | 'at'>, run: Run): CallBuilder => {
    const number = asNumber(event['callNumber']) ?? 0;
    const model = asString(event['modelId']) ?? '';
    const call = new CallBuilder({ number, model, at, group: run.group }, { own, parts: run.parts });
    run.calls.set(number, call);
    calls.push(call);
    return call;
  };

  for await (const line of lines) {
    const run = runOf(line.run);
    if ('part' in line && !run.parts.put(line.part, JSON.stringify(line.value))) lost += 1;
    if (!('event' in line)) continue;
    const { event, at } = line;
    const number = asNumber(event['callNumber']);
    if (event.type === 'call-start') start(line, run);
    else if (number === undefined) {
      const row = rowOf(OUTSIDE, event.type);
      if (row !== undefined) outside.push(markOf({ from: at, kind: event.type, tone: row[0], text: row[1](event) }));
    } else {
      // Includes a call that began before the file did.
      const call = run.calls.get(number) ?? start(line, run);
      call.time(at);
      rowOf(HANDLERS, event.type)?.(call, { ...line, known: run.known });
      const text = run.cache.note(line);
      if (text !== undefined) call.mark('cache', 'warn', { event, at, text });
      const first = run.conversations.firstOf(event, run.cache.callBefore(line));
      if (first !== undefined) firsts.set(call.view, first);
    }
    run.known = run.parts.count;
  }
  const views = calls.map((call) => call.finished()).toSorted((a, b) => a.at - b.at);
  sumConversations(views, firsts);
  return {
    timeline: { source, calls: views, outside, odd: odd() + lost },
    groups: [own.all, ...[...runs.values()].map(({ parts }) => parts.all)],
  };
}

import type { EventLine } from '../../node/event-format.js';
import { asId, asNumber, asRecord, asRecords, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { packLanes } from './pack-lanes.js';
import type { CallView, MarkView, RequestView, RoundView, Tone, ToolView } from './model.js';
import type { Texts } from './texts.js';

/** An event of a file; no member is certain. */
export type Event = EventLine['event'];

export interface TextGroups {
  /** Arguments and outputs. */
  readonly own: Texts;
  /** Parts of requests. */
  readonly parts: Texts;
}

/** The number of parts before the event, and the event. */
export type Line = EventLine & { readonly known: number };

const PREVIEW_CHARS = 160;

const BEGINS: ReadonlySet<string> = new Set(['tool-start', 'tool-approval', 'tool-approval-request']);

/** Assembles one call from its events. */
export class CallBuilder {
  readonly view: CallView;
  readonly #groups: TextGroups;
  /** The latest run of each call id. */
  readonly #tools = new Map<string, ToolView>();
  #lastAt: number;
  isEnded = false;

  constructor(view: Pick<CallView, 'number' | 'model' | 'at' | 'group'>, groups: TextGroups) {
    this.view = { ...view, ms: 0, finish: '', bill: [], rounds: [], tools: [], marks: [], lanes: 0 };
    this.#groups = groups;
    this.#lastAt = view.at;
  }

  /** Returns the milliseconds since the call began. */
  time(at: number): number {
    this.#lastAt = Math.max(this.#lastAt, at);
    return Math.max(0, at - this.view.at);
  }

  end(event: Event, at: number): void {
    const error = asRecord(event['error']);
    this.view.ms = asNumber(event['durationMs']) ?? this.time(at);
    this.view.finish = asString(event['finishReason']) ?? '';
    this.view.bill = asRecords(asRecord(event['bill'])?.['tools']).map((tool) => ({
      tool: asString(tool['tool']) ?? '',
      runs: asNumber(tool['runs']) ?? 0,
      chars: asNumber(tool['outputChars']) ?? 0,
      tokens: asNumber(tool['estimatedInputTokens']) ?? 0,
    }));
    const code = asString(error?.['code']);
    if (error !== undefined) this.view.error = `${asString(error['message']) ?? ''}${code ? ` (${code})` : ''}`;
    this.isEnded = true;
  }

  /** A run without an end in the file lasts until the call's last event. */
  finished(): CallView {
    const { view } = this;
    const last = this.time(this.#lastAt);
    if (!this.isEnded) view.ms = last;
    for (const round of view.rounds) if (round.finish === '') round.ms = Math.max(0, view.ms - round.from);
    for (const tool of view.tools) if (tool.state === 'open') tool.ms = Math.max(0, view.ms - tool.from);
    view.lanes = packLanes(view.tools);
    return view;
  }

  mark(kind: string, tone: Tone, { event, at, text }: { event: Event; at: number; text: string }): void {
    const round = asNumber(event['round']);
    this.view.marks.push(markOf({ kind, tone, from: this.time(at), text }, round));
  }

  startRound(event: Event, at: number): void {
    const round: RoundView = {
      round: asNumber(event['round']) ?? 0,
      from: this.time(at),
      ms: 0,
      finish: '',
      requests: [],
      ...(event['replayed'] === true && { replayed: true as const }),
    };
    this.view.rounds.push(round);
  }

  endRound(event: Event, at: number): void {
    const round = this.#round(event, at);
    const usage = asRecord(event['usage']) ?? {};
    round.ms = asNumber(event['durationMs']) ?? this.time(at) - round.from;
    round.finish = asString(event['finishReason']) ?? 'unknown';
    Object.assign(
      round,
      kept({
        firstMs: asNumber(event['firstPartMs']),
        responseId: asId(event['responseId']),
        input: asNumber(usage['inputTokens']),
        cached: asNumber(usage['cachedInputTokens']),
        output: asNumber(usage['outputTokens']),
        reasoning: asNumber(usage['reasoningTokens']),
        cost: asNumber(event['cost']),
      }),
    );
  }

  request({ event, at, lists, values, known: before }: Line): void {
    const { parts } = this.#groups;
    const round = this.#round(event, at);
    // Items of a retry are still new in their round: they are compared with earlier rounds.
    const known = round.requests[0]?.known ?? before;
    const input = lists['body.input'] ?? [];
    const fresh = parts.sizeOf(input, known + 1, parts.count);
    const request: RequestView = {
      from: this.time(at),
      url: asString(event['url']) ?? '',
      ...kept({ method: asString(event['method']), transport: asString(event['transport']) }),
      input,
      fresh,
      again: parts.sizeOf(input, 1, known),
      known,
      lists: withoutInput(lists),
      values,
      body: asRecord(event['body']) ?? {},
    };
    round.requests.push(request);
    for (let part = before + 1; part <= parts.count; part += 1) this.#noteItem(part);
  }

  /** Notes the answer of a request, or its failure. */
  answer(event: Event, at: number): void {
    const request = this.#round(event, at).requests.at(-1);
    if (request === undefined) return;
    Object.assign(
      request,
      kept({
        ms: asNumber(event['durationMs']),
        status: asNumber(event['status']),
        error: asString(event['message']),
      }),
    );
  }

  startTool(event: Event, at: number): void {
    const tool = this.tool(event, at);
    tool.from = this.time(at);
    tool.state = 'open';
    this.#keepArguments(tool, event['arguments']);
  }

  askUser(event: Event, at: number): void {
    const tool = this.tool(event, at);
    tool.state = 'asked';
    tool.approval = 'Waits for the user; a later call continues.';
    this.#keepArguments(tool, event['arguments']);
  }

  approve(event: Event, at: number): void {
    const tool = this.tool(event, at);
    const reason = asId(event['reason']);
    const isApproved = event['approved'] === true;
    const waitMs = asNumber(event['durationMs']) ?? 0;
    tool.state = isApproved ? tool.state : 'denied';
    tool.waitMs = waitMs;
    tool.from = this.time(at);
    tool.approval = `${isApproved ? 'approved' : 'denied'}${event['isEdited'] === true ? ', arguments changed' : ''}${reason === undefined ? '' : `: ${reason}`}`;
  }

  endTool(event: Event, at: number): void {
    const tool = this.tool(event, at, asNumber(event['durationMs']));
    tool.ms = asNumber(event['durationMs']) ?? this.time(at) - tool.from;
    tool.state = event['isError'] === true ? 'error' : 'done';
    Object.assign(tool, kept({ chars: asNumber(event['outputChars']) }));
    const output = asString(event['output']);
    if (output !== undefined) tool.output = this.#groups.own.add(JSON.stringify(output));
  }

  /** Returns the run of an event. */
  tool(event: Event, at: number, ranMs = 0): ToolView {
    const callId = asString(event['callId']) ?? '';
    const known = this.#tools.get(callId);
    // An ended id that begins again is another run.
    const isAnother =
      known !== undefined && BEGINS.has(event.type) && known.state !== 'open' && known.output !== undefined;
    if (known !== undefined && !isAnother) return known;
    const tool: ToolView = {
      round: asNumber(event['round']) ?? 0,
      callId,
      name: asString(event['tool']) ?? '',
      source: asString(event['source']) ?? '',
      from: Math.max(0, this.time(at) - ranMs),
      ms: 0,
      lane: 0,
      state: 'open',
      notes: [],
      ...(event['replayed'] === true && { replayed: true as const }),
    };
    this.#tools.set(callId, tool);
    this.view.tools.push(tool);
    return tool;
  }

  #keepArguments(tool: ToolView, args: unknown): void {
    const text = JSON.stringify(args);
    if (text === undefined) return;
    tool.args = this.#groups.own.add(text);
    tool.preview = text.slice(0, PREVIEW_CHARS);
  }

  /** The next request has a tool's whole output and a denied call's arguments; no event has these. */
  #noteItem(part: number): void {
    const text = this.#groups.parts.all[part - 1] ?? '';
    if (!text.includes('"call_id"')) return;
    const item = asRecord(parseJson(text));
    const tool = this.#tools.get(asString(item?.['call_id']) ?? '');
    if (item === undefined || tool === undefined) return;
    if (item['output'] !== undefined) tool.sent = part;
    const args = asString(item['arguments']);
    if (args !== undefined && tool.args === undefined) this.#keepArguments(tool, parseJson(args) ?? args);
  }

  /** Returns the round of the event; an unknown one began with it. */
  #round(event: Event, at: number): RoundView {
    const number = asNumber(event['round']) ?? 0;
    const known = this.view.rounds.findLast(({ round }) => round === number);
    if (known !== undefined) return known;
    this.startRound(event, at);
    return this.#round(event, at);
  }
}

export function markOf(mark: Omit<MarkView, 'round'>, round?: number): MarkView {
  return { ...mark, ...(round !== undefined && { round }) };
}

function withoutInput(lists: EventLine['lists']): EventLine['lists'] {
  const { 'body.input': _input, ...rest } = lists;
  return rest;
}

/** Drops members without a value. */
function kept(values: Readonly<Record<string, string | number | undefined>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

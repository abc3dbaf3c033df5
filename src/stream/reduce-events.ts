import { type AssistantContent, textOutput } from '../core/message.js';
import type { RoundOutcome, RoundPart, RoundResult } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { asArray, asId, asNumber, asRecord, asString, isRecord, rowOf } from '../util/guards.js';
import type { DecodedEvent } from './decode-event.js';
import { callInputEvents } from './handlers/call-input.js';
import { functionCallEvents } from './handlers/function-call.js';
import { imagePreviewEvents } from './handlers/image-previews.js';
import type { EventHandler, EventTable, WireObject } from './handlers/item-handler.js';
import { messageEvents } from './handlers/message.js';
import { reasoningEvents } from './handlers/reasoning.js';
import { addItem, closeItem, contentOf, finishItem, fillFromSnapshot } from './items.js';
import { mapIncompleteReason } from './map-finish-reason.js';
import { mapUsage } from './map-usage.js';
import { factsOf, type FailureContext, toApiError } from './decode-failure.js';
import { readResponseFacts } from './response-facts.js';
import { RoundState } from './round-state.js';
import { failUnfinished, isEmpty, isUnfinished } from './unfinished.js';
import { withoutLooseOutputs } from './loose-outputs.js';
import { droppedText, lostCalls } from './lost-calls.js';
import type { Slot } from './slot.js';
import { defined } from '../util/defined.js';

/** Why a stream stopped without a terminal event. `failed`: it was given up, and nothing of it counts. */
export type BrokenOff = { readonly outcome: 'truncated' | 'reset' | 'failed'; readonly error: Error };

/** How the server ended the response. */
interface Ending {
  readonly outcome: RoundOutcome;
  readonly response: WireObject;
  readonly error?: Error;
}

/**
 * Events in, parts out. Every event type is a row of a table; what has no row is passed over, since servers add events
 * faster than anyone can read about them.
 */
export class Reducer {
  readonly #state: RoundState;
  readonly #context: FailureContext;
  readonly #keepsBody: boolean;
  #ended = false;

  constructor(ids: RoundIds, context: FailureContext, keepsBody = false) {
    this.#state = new RoundState(ids, context.clean);
    this.#context = context;
    this.#keepsBody = keepsBody;
  }

  /** The response is over; nothing that comes now counts. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Hands out the parts made since the last call. */
  takeBatch(): readonly RoundPart[] {
    const { batch } = this.#state;
    this.#state.batch = [];
    return batch;
  }

  reduce(event: DecodedEvent): void {
    if (this.#ended) return;
    const handle = EVENTS.get(event.type);
    if (handle !== undefined) return handle(event, this.#state);
    const ending = endingOf(event, this.#context, this.#state.table.slots.length === 0);
    if (ending !== undefined) this.#end(ending);
    else if (isChatCompletions(event)) this.#end({ outcome: 'failed', response: {}, error: wrongApi(this.#context) });
  }

  /** The bytes are over and no terminal event came. */
  breakOff(cause: BrokenOff): void {
    if (this.#ended) return;
    const { slots } = this.#state.table;
    const whole = cause.outcome === 'truncated' && slots.length > 0 && slots.every(isFinished);
    if (!whole) return this.#end({ outcome: cause.outcome, response: {}, error: cause.error });
    this.#state.warn('The server closed the stream without a terminal event; every item in it was finished.');
    this.#end({ outcome: 'completed', response: {} });
  }

  warn(message: string): void {
    if (!this.#ended) this.#state.warn(message);
  }

  passRaw(event: DecodedEvent): void {
    if (!this.#ended) this.#state.emit({ type: 'raw', event });
  }

  #end({ outcome, response, error }: Ending): void {
    const state = this.#state;
    announceResponse(response, state);
    const complete = outcome === 'completed';
    if (complete || outcome === 'incomplete') fillFromSnapshot(asArray(response['output']), state);
    for (const slot of state.table.slots) closeItem(slot, state, complete);
    if (complete) for (const { name } of lostCalls(state)) state.warn(droppedText(name));
    this.#ended = true;
    const whole = inOutputOrder(state.table.slots).flatMap((slot) => contentOf(slot) ?? []);
    const content = withoutLooseOutputs(whole, state);
    const result = resultOf({ outcome, response, ...(error === undefined ? {} : { error }) }, content, state);
    const body = this.#keepsBody ? { readBody: () => response } : {};
    state.emit({ type: 'round-end', result: { ...result, ...body } });
  }
}

/** A call whose arguments are complete is finished, whether or not its item was closed. */
function isFinished(slot: Slot): boolean {
  return slot.done || (slot.family === 'function_call' && slot.told !== undefined);
}

/** By `output_index` where every item has one; else as the items came. */
function inOutputOrder(slots: readonly Slot[]): readonly Slot[] {
  if (slots.some((slot) => slot.index === undefined)) return slots;
  return slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

function resultOf(
  { outcome, response, error }: Ending,
  content: readonly AssistantContent[],
  state: RoundState,
): RoundResult {
  const { responseFacts, responseId } = state;
  return {
    outcome,
    ...finishOf(outcome, response, content, state),
    usage: state.usage,
    ...answered(content, state),
    warnings: state.warnings,
    ...defined({ responseId, responseFacts }),
    ...logprobsOf(state),
    ...defined({ error }),
  };
}

function logprobsOf(state: RoundState): Pick<RoundResult, 'logprobs'> {
  const logprobs = state.table.slots.flatMap((slot) => (slot.family === 'message' ? (slot.logprobs ?? []) : []));
  return logprobs.length === 0 ? {} : { logprobs };
}

function finishOf(
  outcome: RoundOutcome,
  response: WireObject,
  content: readonly AssistantContent[],
  state: RoundState,
): Pick<RoundResult, 'finishReason' | 'rawFinishReason'> {
  if (outcome === 'incomplete') return mapIncompleteReason(response);
  const raw = asString(response['status']);
  const rawFinishReason = raw === undefined ? {} : { rawFinishReason: raw };
  if (outcome !== 'completed') return { finishReason: 'error', ...rawFinishReason };
  if (content.some((item) => item.type === 'tool-call')) return { finishReason: 'tool-calls', ...rawFinishReason };
  const lost = lostCalls(state);
  if (lost.length > 0)
    return { finishReason: lost.some((call) => call.isCut) ? 'length' : 'other', ...rawFinishReason };
  return { finishReason: state.refused ? 'content-filter' : 'stop', ...rawFinishReason };
}

/** Some servers run tools themselves and put call and output into one response (Mastra): those calls are settled. */
function answered(
  content: readonly AssistantContent[],
  state: RoundState,
): Pick<RoundResult, 'content' | 'answeredCallIds'> {
  if (state.answeredWireIds.size === 0) return { content, answeredCallIds: [] };
  const callIds = new Map<string, string>();
  for (const item of content) if (item.type === 'tool-call') callIds.set(item.wireCallId ?? item.callId, item.callId);
  const settled = content.map((item): AssistantContent => {
    if (item.type !== 'item' || item.item['type'] !== 'function_call_output') return item;
    const callId = callIds.get(asString(item.item['call_id']) ?? '');
    const { output } = item.item;
    const text = typeof output === 'string' ? output : JSON.stringify(output ?? null);
    return callId === undefined ? item : { type: 'tool-result', callId, output: textOutput(text) };
  });
  const answeredCallIds = [...state.answeredWireIds].flatMap((wireId) => callIds.get(wireId) ?? []);
  return { content: settled, answeredCallIds };
}

const HANDLERS: EventTable = {
  'response.created': (event, state) => announceResponse(asRecord(event['response']) ?? event, state),
  'response.in_progress': (event, state) => announceResponse(asRecord(event['response']) ?? event, state),
  'response.queued': (event, state) => announceResponse(asRecord(event['response']) ?? event, state),
  'response.output_item.added': (event, state) => addItem(event, state),
  'response.output_item.done': (event, state) => finishItem(event, state),
  ...messageEvents,
  ...reasoningEvents,
  ...functionCallEvents,
  ...callInputEvents,
  ...imagePreviewEvents,
};

/** Most events are found here at once, without a look at the prototype. */
const EVENTS: ReadonlyMap<string, EventHandler> = new Map(Object.entries(HANDLERS));

/** `response.done` is xAI's word for completed. */
const TERMINALS: Readonly<Record<string, RoundOutcome>> = {
  'response.completed': 'completed',
  'response.done': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': 'failed',
  error: 'failed',
};

/** The status inside a terminal event knows better than its name (Mastra: `completed` with status `incomplete`). */
const OUTCOME_BY_STATUS: Readonly<Record<string, RoundOutcome>> = {
  incomplete: 'incomplete',
  failed: 'failed',
  cancelled: 'failed',
};

/** For the test that holds this table against the list of names in `wire`. */
export const HANDLED_EVENT_NAMES: readonly string[] = [...EVENTS.keys(), ...Object.keys(TERMINALS)];

function endingOf(event: DecodedEvent, context: FailureContext, cameToNothing: boolean): Ending | undefined {
  const named = rowOf(TERMINALS, event.type);
  if (named === undefined) return undefined;
  const response = asRecord(event['response']) ?? event;
  if (named === 'completed' && cameToNothing && isUnfinished(response) && isEmpty(response)) {
    const unfinished = failUnfinished(response);
    return { outcome: 'failed', response: unfinished, error: toApiError({ response: unfinished }, context) };
  }
  const status = asString(response['status']) ?? '';
  const outcome = rowOf(OUTCOME_BY_STATUS, status) ?? named;
  return outcome === 'failed' ? { outcome, response, error: toApiError(event, context) } : { outcome, response };
}

/** Facts about the response, as events bring them (llama.cpp names the model at the end only); all part ids hang on the response id. */
function announceResponse(response: WireObject, state: RoundState): void {
  const id = state.responseId === undefined ? asId(response['id']) : undefined;
  if (id !== undefined) state.responseId = state.clean(id);
  state.responseFacts = readResponseFacts(response, state.responseFacts);
  if (isRecord(response['usage'])) state.usage = mapUsage(response['usage']);
  const model = state.modelOf(response['model']);
  const createdAt = asNumber(response['created_at']);
  const facts = {
    ...defined({ responseId: state.responseId, model, createdAt }),
  };
  const known = Object.keys(facts).length;
  if (known <= state.factsTold) return;
  state.factsTold = known;
  state.emit({ type: 'response', ...facts });
}

function isChatCompletions(event: DecodedEvent): boolean {
  return Array.isArray(event['choices']) || String(event['object']).startsWith('chat.completion');
}

function wrongApi(context: FailureContext): ApiError {
  return new ApiError({
    ...factsOf(context),
    code: 'not-a-responses-api',
    isRetryable: false,
    message: `${context.url} answered in the Chat Completions format, not as a Responses API. Check the base URL, or use a provider for Chat Completions.`,
  });
}

import { isServersCall } from '../core/call-items.js';
import type { JsonValue } from '../core/json.js';
import { type AssistantContent, textOutput } from '../core/message.js';
import type { RoundOutcome, RoundPart, RoundResult } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import { asArray, asId, asNumber, asRecord, asString, isRecord, rowOf } from '../util/guards.js';
import { type DecodedEvent, TERMINALS } from './decode-event.js';
import { callFamilyOf } from './handlers/call-items.js';
import { callInputEvents } from './handlers/call-input.js';
import { functionCallEvents } from './handlers/function-call.js';
import { imagePreviewEvents } from './handlers/hosted-items.js';
import { type EventHandler, RoundState, type WireObject } from './round-state.js';
import { messageEvents } from './handlers/message.js';
import { reasoningEvents } from './handlers/reasoning.js';
import { addItem, fillFromSnapshot, finishItem, HANDLERS } from './items.js';
import { mapIncompleteReason, mapUsage, readResponseFacts } from './response-facts.js';
import { factsOf, type FailureContext, toApiError } from './decode-failure.js';
import { failUnfinished, isEmpty, isUnfinished } from './events-of-response.js';
import { withoutLooseOutputs } from './loose-outputs.js';
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
  /** The response is over; nothing that comes now counts. */
  ended = false;

  constructor(ids: RoundIds, context: FailureContext, keepsBody = false) {
    this.#state = new RoundState(ids, context.clean);
    this.#context = context;
    this.#keepsBody = keepsBody;
  }

  /** Hands out the parts made since the last call. */
  takeBatch(): readonly RoundPart[] {
    const { batch } = this.#state;
    this.#state.batch = [];
    return batch;
  }

  reduce(event: DecodedEvent): void {
    if (this.ended) return;
    const handle = EVENTS.get(event.type);
    if (handle !== undefined) return handle(event, this.#state);
    const ending = endingOf(event, this.#context, this.#state.table.slots.length === 0);
    if (ending !== undefined) this.#end(ending);
    else if (isChatCompletions(event)) this.#end({ outcome: 'failed', response: {}, error: wrongApi(this.#context) });
  }

  /** The bytes are over and no terminal event came. */
  endWithError(cause: BrokenOff): void {
    if (this.ended) return;
    const { slots } = this.#state.table;
    // A call whose arguments are complete is finished, whether or not its item was closed.
    const whole =
      cause.outcome === 'truncated' &&
      slots.length > 0 &&
      slots.every((slot) => slot.done || (slot.family === 'function_call' && slot.emitted !== undefined));
    if (!whole) return this.#end({ outcome: cause.outcome, response: {}, error: cause.error });
    this.#state.warn('The server closed the stream without a terminal event; every item in it was finished.');
    this.#end({ outcome: 'completed', response: {} });
  }

  warn(message: string): void {
    if (!this.ended) this.#state.warn(message);
  }

  /** A part that comes of no event. */
  pass(part: RoundPart): void {
    if (!this.ended) this.#state.emit(part);
  }

  #end({ outcome, response, error }: Ending): void {
    const state = this.#state;
    const { slots } = state.table;
    announceResponse(response, state);
    const complete = outcome === 'completed';
    if (complete || outcome === 'incomplete') fillFromSnapshot(asArray(response['output']), state);
    for (const slot of slots) HANDLERS[slot.family].close(slot, state, complete);
    const lost = complete && state.table.holdsCalls ? lostCalls(state) : [];
    for (const { name } of lost) state.warn(droppedText(name));
    this.ended = true;
    const content = contentOf(state);
    const result: RoundResult = {
      outcome,
      usage: state.usage,
      warnings: [...state.warnings],
      ...finishOf({ outcome, response }, content, lost, state.refused),
      ...(state.answeredWireIds.size === 0 ? { content, answeredCallIds: [] } : answered(content, state)),
      ...defined({ responseId: state.responseId, responseFacts: state.responseFacts, error }),
      ...logprobsOf(slots),
      ...(this.#keepsBody && { readBody: () => response }),
    };
    state.emit({ type: 'round-end', result });
  }
}

/** A call that was begun and never became whole, although the response did: it does not run, and must not go unnoticed. */
interface LostCall {
  readonly name: string | undefined;
  /** The server said that it was cut off. */
  readonly isCut: boolean;
}

function lostCalls({ table }: RoundState): readonly LostCall[] {
  const lost: LostCall[] = [];
  for (const slot of table.slots) {
    if (slot.family === 'function_call') {
      const isWhole = slot.emitted !== undefined || slot.repeats !== undefined;
      if (!isWhole) lost.push({ name: slot.name, isCut: slot.isCut });
    } else if (slot.family === 'other' && !(slot.done && !slot.isCut)) {
      const family = callFamilyOf(slot.itemType);
      const isOurs = family !== undefined && !isServersCall(slot.itemType, slot.item);
      if (isOurs) lost.push({ name: family.tool(slot.item), isCut: slot.isCut });
    }
  }
  return lost;
}

function droppedText(name = ''): string {
  const which = name === '' ? 'a call without a name' : `a call of "${name}"`;
  return `The response ended with ${which} that was cut off; the call was dropped and did not run.`;
}

/** By `output_index` if every item has one; else as the items came. */
function inOutputOrder(slots: readonly Slot[]): readonly Slot[] {
  if (slots.some((slot) => slot.index === undefined)) return slots;
  return slots.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0));
}

function contentOf(state: RoundState): readonly AssistantContent[] {
  const { slots, holdsItems } = state.table;
  const content: AssistantContent[] = [];
  for (const slot of slots.length > 1 ? inOutputOrder(slots) : slots) {
    const one = HANDLERS[slot.family].content(slot);
    if (one !== undefined) content.push(one);
  }
  return holdsItems ? withoutLooseOutputs(content, state) : content;
}

function logprobsOf(slots: readonly Slot[]): Pick<RoundResult, 'logprobs'> {
  const logprobs: JsonValue[] = [];
  for (const slot of slots)
    if (slot.family === 'message' && slot.logprobs !== undefined) logprobs.push(...slot.logprobs);
  return logprobs.length === 0 ? {} : { logprobs };
}

function finishOf(
  { outcome, response }: Ending,
  content: readonly AssistantContent[],
  lost: readonly LostCall[],
  refused: boolean,
): Pick<RoundResult, 'finishReason' | 'rawFinishReason'> {
  if (outcome === 'incomplete') return mapIncompleteReason(response);
  const raw = asString(response['status']);
  const rawFinishReason = raw === undefined ? {} : { rawFinishReason: raw };
  if (outcome !== 'completed') return { finishReason: 'error', ...rawFinishReason };
  for (const item of content) if (item.type === 'tool-call') return { finishReason: 'tool-calls', ...rawFinishReason };
  if (lost.length > 0)
    return { finishReason: lost.some((call) => call.isCut) ? 'length' : 'other', ...rawFinishReason };
  return { finishReason: refused ? 'content-filter' : 'stop', ...rawFinishReason };
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

const announce: EventHandler = (event, state) => announceResponse(asRecord(event['response']) ?? event, state);

/** Most events are found here at once, without a look at the prototype. */
const EVENTS: ReadonlyMap<string, EventHandler> = new Map(
  Object.entries<EventHandler>({
    'response.created': announce,
    'response.in_progress': announce,
    'response.queued': announce,
    'response.output_item.added': addItem,
    'response.output_item.done': finishItem,
    ...messageEvents,
    ...reasoningEvents,
    ...functionCallEvents,
    ...callInputEvents,
    ...imagePreviewEvents,
  }),
);

/** The status inside a terminal event knows better than its name (Mastra: `completed` with status `incomplete`). */
const OUTCOME_BY_STATUS: Readonly<Record<string, RoundOutcome>> = {
  incomplete: 'incomplete',
  failed: 'failed',
  cancelled: 'failed',
};

/** For the test that holds this table against the list of names in `wire`. */
export const HANDLED_EVENT_NAMES: readonly string[] = [...EVENTS.keys(), ...TERMINALS.keys()];

function endingOf(event: DecodedEvent, context: FailureContext, cameToNothing: boolean): Ending | undefined {
  const named = TERMINALS.get(event.type);
  if (named === undefined) return undefined;
  const response = asRecord(event['response']) ?? event;
  if (named === 'completed' && cameToNothing && isUnfinished(response) && isEmpty(response)) {
    const unfinished = failUnfinished(response);
    return { outcome: 'failed', response: unfinished, error: toApiError({ response: unfinished }, context) };
  }
  const status = asString(response['status']) ?? '';
  const outcome = rowOf(OUTCOME_BY_STATUS, status) ?? named;
  return outcome === 'failed'
    ? { outcome, response, error: failureOf(event, response, context) }
    : { outcome, response };
}

/** Of a response that was cancelled, servers say no more than the status. */
function failureOf(event: DecodedEvent, response: WireObject, context: FailureContext): ApiError {
  const isCancelled = response['status'] === 'cancelled' || event.type === 'response.cancelled';
  const explained = isCancelled && response['error'] == null ? { response: { ...response, error: CANCELLED } } : event;
  return toApiError(explained, context, event);
}

const CANCELLED = { code: 'cancelled', message: 'The response was cancelled at the server.' };

/** Facts about the response, as events bring them (llama.cpp names the model at the end only); all part ids hang on the response id. */
function announceResponse(response: WireObject, state: RoundState): void {
  const id = state.responseId === undefined ? asId(response['id']) : undefined;
  if (id !== undefined) state.responseId = state.clean(id);
  state.responseFacts = readResponseFacts(response, state.responseFacts);
  if (isRecord(response['usage'])) state.usage = mapUsage(response['usage']);
  const model = state.modelOf(response['model']);
  const createdAt = asNumber(response['created_at']);
  const facts = defined({ responseId: state.responseId, model, createdAt });
  const known = Object.keys(facts).length;
  if (known <= state.emittedFacts) return;
  state.emittedFacts = known;
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

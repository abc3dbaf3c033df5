import { clean, type CleanError, type CleanText } from '../core/clean-text.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { type AssistantContent, textOutput } from '../core/message.js';
import type { RoundOutcome, RoundPart, RoundResult, Source } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { ApiError } from '../errors/api-error.js';
import type { StreamedEventName } from '../items/kinds.js';
import { FUNCTION_OUTPUT } from '../items/plain.js';
import { asArray, asId, asNumber, asRecord, asString, isRecord } from '../util/guards.js';
import { type DecodedEvent, TERMINAL_OF, type TerminalName, TERMINALS } from './decode-event.js';
import { inputEvents } from './handlers/answered.js';
import { functionCallEvents } from './handlers/function-call.js';
import { messageEvents, MessageSlot } from './handlers/message.js';
import { previewEvents } from './handlers/hosted.js';
import { reasoningEvents } from './handlers/reasoning.js';
import { addItem, createSlot, type FAMILIES, fillFromSnapshot, finishItem, inOutputOrder } from './items.js';
import { mapIncompleteReason, mapUsage, readResponseFacts } from './response-facts.js';
import { factsOf, type FailureContext, toApiError } from './decode-failure.js';
import { failUnfinished, isEmpty, isUnfinished } from './events-of-response.js';
import { RoundState, type WireObject } from './round-state.js';
import type { Address, Slot } from './slot.js';
import { type EventHandler, type EventTable, SlotTable } from './slot-table.js';
import { defined } from '../util/defined.js';

/** The reason why a stream has no terminal event. `failed`: it was given up, and nothing of it counts. */
export type BrokenOff = { readonly outcome: 'truncated' | 'reset' | 'failed'; readonly error: CleanError };

/** How the server ended the response. */
interface Ending {
  readonly outcome: RoundOutcome;
  readonly response: WireObject;
  readonly error?: CleanError;
}

/**
 * Events in, parts out. Every event type is a row of a table; other events are ignored, because servers often add new
 * ones.
 */
export class Reducer {
  readonly #table: SlotTable;
  readonly #context: FailureContext;
  readonly #keepsBody: boolean;
  /** The response has ended, so later events are ignored. */
  ended = false;

  constructor(ids: RoundIds, context: FailureContext, keepsBody = false) {
    this.#table = new SlotTable(new RoundState(ids, context.redactor), createSlot);
    this.#context = context;
    this.#keepsBody = keepsBody;
  }

  /** Hands out the parts made since the last call. */
  takeBatch(): readonly RoundPart[] {
    const { round } = this.#table;
    const { batch } = round;
    round.batch = [];
    return batch;
  }

  reduce(event: DecodedEvent): void {
    if (this.ended) return;
    const handle = EVENTS.get(event.type);
    if (handle !== undefined) return handle(event, this.#table);
    const ending = endingOf(event, this.#context, this.#table.slots.length === 0);
    if (ending !== undefined) this.#end(ending);
    else if (isChatCompletions(event)) this.#end({ outcome: 'failed', response: {}, error: wrongApi(this.#context) });
  }

  /** The body ended without a terminal event. */
  endWithError(cause: BrokenOff): void {
    if (this.ended) return;
    const { slots, round } = this.#table;
    // A call whose arguments are complete is finished, whether or not its item was closed.
    const isWhole = slots.length > 0 && slots.every((slot) => slot.done || slot.call !== undefined);
    if (cause.outcome !== 'truncated' || !isWhole) return this.#end({ ...cause, response: {} });
    round.warn('The server closed the stream without a terminal event; every item in it was finished.');
    this.#end({ outcome: 'completed', response: {} });
  }

  warn(message: string): void {
    if (!this.ended) this.#table.round.warn(message);
  }

  /** Opens an item without an event, at its place in the output. */
  open<Family extends keyof typeof FAMILIES>(
    family: Family,
    address: Address,
  ): InstanceType<(typeof FAMILIES)[Family]> {
    // `createSlot` makes the slot that the family names.
    return this.#table.add(family, address) as InstanceType<(typeof FAMILIES)[Family]>;
  }

  /** Emits a part without an event. */
  pass(part: RoundPart): void {
    if (!this.ended) this.#table.round.emit(part);
  }

  /** Emits a source without an event, unless an item cited it. */
  cite(source: Source): void {
    this.#table.round.cite(source, 'cited');
  }

  /** Facts about the response, in the server's words. */
  announce(response: WireObject): void {
    announceResponse(response, this.#table.round);
  }

  /** Ends a round without events: closes open items and emits `round-end`. */
  close(response: WireObject): void {
    this.#end({ outcome: 'incomplete', response });
  }

  #end({ outcome, response, error }: Ending): void {
    const { round, slots } = this.#table;
    announceResponse(response, round);
    const complete = outcome === 'completed';
    if (complete || outcome === 'incomplete') fillFromSnapshot(asArray(response['output']), this.#table);
    for (const slot of slots) slot.close(complete);
    round.citeFound();
    this.ended = true;
    const content = contentOf(slots);
    const result: RoundResult = {
      outcome,
      usage: round.usage,
      ...finishOf({ outcome, response }, content, round),
      ...(round.answeredWireIds.size === 0 ? { content, answeredCallIds: [] } : answered(content, round)),
      warnings: [...round.warnings],
      ...defined({ responseId: round.responseId, responseFacts: round.responseFacts, error }),
      ...logprobsOf(slots),
      ...(this.#keepsBody && { readBody: () => response }),
    };
    round.emit({ type: 'round-end', result });
  }
}

function contentOf(slots: readonly Slot[]): readonly AssistantContent[] {
  const content: AssistantContent[] = [];
  for (const slot of inOutputOrder(slots)) {
    const one = slot.content();
    if (one !== undefined) content.push(one);
  }
  return content;
}

function logprobsOf(slots: readonly Slot[]): Pick<RoundResult, 'logprobs'> {
  const logprobs: JsonValue[] = [];
  for (const slot of slots)
    if (slot instanceof MessageSlot && slot.logprobs !== undefined) logprobs.push(...slot.logprobs);
  return logprobs.length === 0 ? {} : { logprobs };
}

function finishOf(
  { outcome, response }: Ending,
  content: readonly AssistantContent[],
  { lost, refused }: RoundState,
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

/** A few servers run tools themselves and send call and output in one response (Mastra): those calls are settled. */
function answered(
  content: readonly AssistantContent[],
  round: RoundState,
): Pick<RoundResult, 'content' | 'answeredCallIds'> {
  const calls = content.filter((one) => one.type === 'tool-call');
  const callIds = new Map(calls.map((call) => [call.wireCallId ?? call.callId, call.callId]));
  // Calls of other kinds are answered by items of their own.
  const functions = calls.filter((call) => call.item === undefined);
  const wireIds = new Set(functions.map((call) => call.wireCallId ?? call.callId));
  const settled: AssistantContent[] = [];
  for (const one of content) {
    const output = one.type === 'item' && one.item['type'] === FUNCTION_OUTPUT ? one.item : undefined;
    const wireId = asString(output?.['call_id']) ?? '';
    const callId = wireIds.has(wireId) ? callIds.get(wireId) : undefined;
    if (output === undefined) settled.push(one);
    else if (callId === undefined) round.warnOfLooseOutput();
    else settled.push({ type: 'tool-result', callId, output: textOutput(textOfOutput(output)) });
  }
  const answeredCallIds = [...round.answeredWireIds].flatMap((wireId) => callIds.get(wireId) ?? []);
  return { content: settled, answeredCallIds };
}

function textOfOutput({ output }: JsonObject): string {
  return typeof output === 'string' ? output : JSON.stringify(output ?? null);
}

const announce: EventHandler = (event, { round }) => announceResponse(asRecord(event['response']) ?? event, round);

// `StreamedEventName` lists the events that the kinds name.
const kindEvents = Object.fromEntries([...inputEvents, ...previewEvents]) as Readonly<
  Record<StreamedEventName, EventHandler>
>;

/**
 * Servers omit members, so each is checked when read. llama.cpp omits `output_index`,
 * and its `item_id` may be the call id; GitHub Copilot sends another id with every event of an item.
 */
export const HANDLED_EVENTS = {
  'response.created': announce,
  'response.in_progress': announce,
  'response.queued': announce,
  // OpenClaw sends a call whole in it; llama.cpp sends all `done` events at the end.
  'response.output_item.added': addItem,
  'response.output_item.done': finishItem,
  ...messageEvents,
  ...reasoningEvents,
  ...functionCallEvents,
  ...kindEvents,
} satisfies EventTable;

/** Finds most events without a lookup in the prototype. */
const EVENTS: ReadonlyMap<string, EventHandler> = new Map(Object.entries(HANDLED_EVENTS));

export type HandledEventName = keyof typeof HANDLED_EVENTS | TerminalName;

function endingOf(event: DecodedEvent, context: FailureContext, cameToNothing: boolean): Ending | undefined {
  const named = TERMINALS.get(event.type);
  if (named === undefined) return undefined;
  const response = asRecord(event['response']) ?? event;
  if (named === 'completed' && cameToNothing && isUnfinished(response) && isEmpty(response)) {
    const unfinished = failUnfinished(response);
    return { outcome: 'failed', response: unfinished, error: toApiError({ response: unfinished }, context) };
  }
  // The status is more reliable than the name (Mastra: `completed` with status `incomplete`).
  const outcome = TERMINALS.get(TERMINAL_OF.get(response['status']) ?? '') ?? named;
  return outcome === 'failed'
    ? { outcome, response, error: failureOf(event, response, context) }
    : { outcome, response };
}

/** For a cancelled response, servers send only the status. */
function failureOf(event: DecodedEvent, response: WireObject, context: FailureContext): ApiError {
  const isCancelled = response['status'] === 'cancelled' || event.type === 'response.cancelled';
  const explained = isCancelled && response['error'] == null ? { response: { ...response, error: CANCELLED } } : event;
  return toApiError(explained, context, event);
}

const CANCELLED = { code: 'cancelled', message: 'The response was cancelled at the server.' };

/**
 * Reads facts about the response (llama.cpp names the model only at the end). All part ids depend on the response id.
 */
function announceResponse(response: WireObject, round: RoundState): void {
  round.responseId ??= cleanId(response['id'], round);
  round.model ??= cleanId(response['model'], round);
  round.createdAt ??= asNumber(response['created_at']);
  round.responseFacts = readResponseFacts(response, round.responseFacts);
  if (isRecord(response['usage'])) round.usage = mapUsage(response['usage']);
  const { responseId, model, createdAt } = round;
  const facts = defined({ responseId, model, createdAt });
  const known = Object.keys(facts).length;
  if (known <= round.emittedFacts) return;
  round.emittedFacts = known;
  round.emit({ type: 'response', ...facts });
}

function cleanId(said: unknown, round: RoundState): CleanText | undefined {
  const id = asId(said);
  return id === undefined ? undefined : round.redactor.text(id);
}

function isChatCompletions(event: DecodedEvent): boolean {
  return Array.isArray(event['choices']) || String(event['object']).startsWith('chat.completion');
}

function wrongApi(context: FailureContext): ApiError {
  return new ApiError({
    ...factsOf(context),
    code: 'not-a-responses-api',
    isRetryable: false,
    message: clean`${context.url} answered in the Chat Completions format, not as a Responses API. Check the base URL, or use a provider for Chat Completions.`,
  });
}

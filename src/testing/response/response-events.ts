import type { JsonObject } from '../../core/json.js';
import { checkDescription } from '../script/check-script.js';
import type { ResponseDescription } from './description.js';
import { type ItemEvents, itemEvents } from './item-events.js';
import type { ScriptedEvent } from './scripted-event.js';

interface State {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: JsonObject[];
  readonly usage: JsonObject | null;
}

/** Builds the response object with all of OpenAI's members. */
function envelope(description: ResponseDescription & { id: string }, state: State): JsonObject {
  return {
    id: description.id,
    object: 'response',
    created_at: description.createdAt ?? 1_700_000_000,
    status: state.status,
    background: false,
    error:
      state.status === 'failed'
        ? (description.error ?? { code: 'server_error', message: 'The scripted server had an error.' })
        : null,
    incomplete_details:
      state.status === 'incomplete' ? { reason: description.incompleteReason ?? 'max_output_tokens' } : null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    model: description.model ?? 'gpt-test',
    output: state.output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: state.usage,
    metadata: {},
    ...description.fields,
  };
}

/**
 * Writes a whole response as OpenAI streams it: created, in progress, every item with its added, delta and done events, and
 * the terminal event with the final snapshot and usage. Same description, same events.
 *
 * @throws TypeError naming the place in the description, and what belongs there.
 * @example
 * responseEvents({
 *   id: 'resp_a',
 *   output: [
 *     { type: 'reasoning', summary: ['Two numbers.'], encrypted: 'sealed' },
 *     { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_a' },
 *   ],
 * });
 */
export function responseEvents(description: ResponseDescription = {}): ScriptedEvent[] {
  checkDescription(description, 'responseEvents');
  const { id, items } = describedItems(description);
  const final = finalResponse({ ...description, id }, items);
  const started = envelope({ ...description, id }, { status: 'in_progress', output: [], usage: null });
  const events: ScriptedEvent[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...orderItems(items, description.interleaveCalls ?? false),
    ...(final === undefined ? [] : [{ type: `response.${description.status ?? 'completed'}`, response: final }]),
  ];
  return events.map((event, at) => ({ ...event, sequence_number: at }));
}

/**
 * The same response as one JSON body, for requests with `stream: false`.
 *
 * @throws TypeError where the description is none; also for the status `none`: a response that never ended has no body.
 * @example
 * const steps = [{ json: responseBody({ output: [{ type: 'text', text: 'Hello.' }] }) }];
 */
export function responseBody(description: ResponseDescription = {}): JsonObject {
  checkDescription(description, 'responseBody');
  const { id, items } = describedItems(description);
  const response = finalResponse({ ...description, id }, items);
  if (response === undefined) throw new Error('responseBody: a response of status "none" has no body.');
  return response;
}

/** Builds the `error` event that a server sends if a stream fails under way. */
export function errorEvent(error: { readonly code: string; readonly message: string }): ScriptedEvent {
  return { type: 'error', code: error.code, message: error.message, param: null };
}

function describedItems(description: ResponseDescription): { id: string; items: readonly ItemEvents[] } {
  const id = description.id ?? 'resp_1';
  const suffix = id.replace(/^resp[-_]/, '');
  const items = (description.output ?? []).map((output, index) =>
    itemEvents(output, { index, suffix: `${suffix}_${index}` }),
  );
  return { id, items };
}

function orderItems(items: readonly ItemEvents[], interleave: boolean): readonly ScriptedEvent[] {
  const events: ScriptedEvent[] = [];
  for (const run of interleave ? runsOfCalls(items) : items.map((item) => [item])) {
    events.push(...run.flatMap(({ opening }) => opening));
    events.push(...takeTurns(run.map(({ deltas }) => deltas)));
    events.push(...run.flatMap(({ closing }) => closing));
  }
  return events;
}

function runsOfCalls(items: readonly ItemEvents[]): readonly (readonly ItemEvents[])[] {
  const runs: ItemEvents[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    const joins = item.item['type'] === 'function_call' && run?.[0]?.item['type'] === 'function_call';
    if (joins) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

function takeTurns(lists: readonly (readonly ScriptedEvent[])[]): readonly ScriptedEvent[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function finalResponse(
  description: ResponseDescription & { id: string },
  items: readonly ItemEvents[],
): JsonObject | undefined {
  const status = description.status ?? 'completed';
  if (status === 'none') return undefined;
  const usage = description.usage === undefined ? defaultUsage() : description.usage;
  return envelope(description, { status, output: items.map(({ item }) => item), usage });
}

function defaultUsage(): JsonObject {
  return {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
}

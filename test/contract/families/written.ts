import type { JsonObject } from '../../../src/core/json.js';
import {
  type OutputDescription,
  type ResponseDescription,
  responseBody,
  responseEvents,
  type ScriptedAnswer,
  type ScriptedEvent,
} from '../../../src/testing.js';

/** An item of an answer, with what its stream says besides that it was added and is done. */
export interface Written {
  readonly output: OutputDescription;
  /** What the item lacked, or had otherwise, when it was added. */
  readonly begun?: JsonObject;
  /** Events in between; `output_index` and `item_id` are put in. */
  readonly events?: readonly (JsonObject & { readonly type: string })[];
  /** Members put onto the item wherever it stands, such as `namespace`. */
  readonly more?: JsonObject;
}

/** One answer of the server. */
export interface Answer extends Omit<ResponseDescription, 'output'> {
  readonly output: readonly Written[];
}

/** Items that have no status of their own. */
const WITHOUT_STATUS = ['compaction', 'mcp_approval_request', 'mcp_list_tools', 'program'];

/** An item that is no message, reasoning or function call, as it stands in the specification. */
export function item(
  type: string,
  fields: JsonObject,
  { begun, events }: Pick<Written, 'begun' | 'events'> = {},
): Written {
  const status = WITHOUT_STATUS.includes(type) ? {} : { status: 'completed' };
  const output: OutputDescription = { type: 'item', item: { type, ...status, ...fields } };
  return { output, ...(begun !== undefined && { begun }), ...(events !== undefined && { events }) };
}

export const says = (text: string, more: JsonObject = {}): Written => ({ output: { type: 'text', text }, more });

export const calls = (name: string, callId: string, args: JsonObject, more: JsonObject = {}): Written => ({
  output: { type: 'call', name, callId, arguments: args },
  more,
});

export const thinks = (summary: string, encrypted: string): Written => ({
  output: { type: 'reasoning', summary: [summary], encrypted },
});

/** The answer as a stream, or as one body. */
export function stepOf(answer: Answer, streaming: boolean): ScriptedAnswer {
  const description = { ...answer, output: answer.output.map(({ output }) => output) };
  if (streaming) return eventsOf(responseEvents(description), answer.output);
  const body = responseBody(description);
  return { json: { ...body, output: withMore(body['output'] as JsonObject[], answer.output) } };
}

function withMore(items: readonly JsonObject[], written: readonly Written[]): JsonObject[] {
  return items.map((one, at) => ({ ...one, ...written[at]?.more }));
}

/** In between comes behind what was added; the numbers of the events are given anew. */
function eventsOf(events: readonly ScriptedEvent[], written: readonly Written[]): ScriptedEvent[] {
  const whole = events.flatMap((event): ScriptedEvent[] => {
    const index = event['output_index'];
    const one = typeof index === 'number' ? written[index] : undefined;
    if (one === undefined || event['item'] === undefined) return [inSnapshot(event, written)];
    const done = { ...(event['item'] as JsonObject), ...one.more };
    if (event.type !== 'response.output_item.added') return [{ ...event, item: done }];
    const place = { output_index: index as number, item_id: done['id'] ?? '' };
    const between = (one.events ?? []).map((inner) => ({ ...inner, ...place }));
    return [{ ...event, item: { ...done, ...one.begun } }, ...between];
  });
  return whole.map((event, at) => ({ ...event, sequence_number: at }));
}

function inSnapshot(event: ScriptedEvent, written: readonly Written[]): ScriptedEvent {
  const response = event['response'] as JsonObject | undefined;
  const output = response?.['output'];
  if (response === undefined || !Array.isArray(output)) return event;
  return { ...event, response: { ...response, output: withMore(output as JsonObject[], written) } };
}

import type { JsonObject } from '../../../src/core/json.js';
import type { ScriptedEvent } from '../../../src/testing.js';

type Index = number | undefined;
type Item = JsonObject & { readonly type: string };

/** Events as servers write them, one by one; a place that is `undefined` is left out. */
export const created: ScriptedEvent = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-test', created_at: 1, output: [] },
};

export function completed(response: JsonObject = {}): ScriptedEvent {
  return { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [], ...response } };
}

export function added(index: Index, item: Item): ScriptedEvent {
  return { type: 'response.output_item.added', output_index: index, item };
}

export function done(index: Index, item: Item): ScriptedEvent {
  return { type: 'response.output_item.done', output_index: index, item };
}

export function textDelta(index: Index, delta: string, itemId?: string): ScriptedEvent {
  return { type: 'response.output_text.delta', output_index: index, item_id: itemId, content_index: 0, delta };
}

export function textDone(index: Index, text: string, itemId?: string): ScriptedEvent {
  return { type: 'response.output_text.done', output_index: index, item_id: itemId, content_index: 0, text };
}

export function argsDelta(index: Index, delta: string, itemId?: string): ScriptedEvent {
  return { type: 'response.function_call_arguments.delta', output_index: index, item_id: itemId, delta };
}

export function argsDone(index: Index, text: string, itemId?: string): ScriptedEvent {
  return { type: 'response.function_call_arguments.done', output_index: index, item_id: itemId, arguments: text };
}

export function message(text: string, more: JsonObject = {}): Item {
  const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content, ...more };
}

export function call(args: string, more: JsonObject = {}): Item {
  return {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'add',
    arguments: args,
    status: 'completed',
    ...more,
  };
}

export function reasoning(more: JsonObject = {}): Item {
  return { type: 'reasoning', id: 'rs_1', summary: [], ...more };
}

export function summaryDelta(index: Index, summary: number, delta: string): ScriptedEvent {
  return { type: 'response.reasoning_summary_text.delta', output_index: index, summary_index: summary, delta };
}

export function thinkDelta(index: Index, delta: string, itemId?: string): ScriptedEvent {
  return { type: 'response.reasoning_text.delta', output_index: index, item_id: itemId, delta };
}

import type { JsonObject } from '../core/json.js';
import { itemEvent, type ItemEvents, type ItemPlace } from './item-event-list.js';
import type { ReasoningOutput } from './output-description.js';
import type { ScriptedEvent } from './scripted-event.js';
import { textDeltas } from './split-deltas.js';

/** The events of a reasoning item. */
export function reasoningEvents(output: ReasoningOutput, { index, suffix }: ItemPlace): ItemEvents {
  const id = output.id ?? `rs_${suffix}`;
  const sealed = output.encrypted === undefined ? {} : { encrypted_content: output.encrypted };
  const empty: JsonObject = { id, type: 'reasoning', ...sealed, summary: [] };
  const summary = (output.summary ?? []).map((part) => textDeltas(part));
  const item: JsonObject = {
    ...empty,
    summary: summary.map((deltas) => ({ type: 'summary_text', text: deltas.join('') })),
    ...(output.text !== undefined && {
      content: [{ type: 'reasoning_text', text: textDeltas(output.text).join('') }],
    }),
  };
  const place = { item_id: id, output_index: index };
  return {
    opening: [itemEvent('added', index, empty)],
    deltas: [
      ...summary.flatMap((deltas, at) => summaryEvents(deltas, { ...place, summary_index: at })),
      ...(output.text === undefined ? [] : reasoningTextEvents(textDeltas(output.text), place)),
    ],
    closing: [itemEvent('done', index, item)],
    item,
  };
}

function summaryEvents(deltas: readonly string[], place: JsonObject): readonly ScriptedEvent[] {
  const text = deltas.join('');
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...deltas.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
  ];
}

function reasoningTextEvents(deltas: readonly string[], item: JsonObject): readonly ScriptedEvent[] {
  const place = { ...item, content_index: 0 };
  return [
    ...deltas.map((delta) => ({ type: 'response.reasoning_text.delta', ...place, delta })),
    { type: 'response.reasoning_text.done', ...place, text: deltas.join('') },
  ];
}

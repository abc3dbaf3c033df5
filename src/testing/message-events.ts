import type { JsonObject } from '../core/json.js';
import { itemEvent, type ItemEvents, type ItemPlace } from './item-event-list.js';
import type { RefusalOutput, TextOutput } from './output-description.js';
import type { ScriptedEvent } from './scripted-event.js';
import { textDeltas } from './split-deltas.js';

/** The events of a message. */
export function textEvents(output: TextOutput, place: ItemPlace): ItemEvents {
  return messageEvents(output, place, textContent(output));
}

/** The events of a message that refuses. */
export function refusalEvents(output: RefusalOutput, place: ItemPlace): ItemEvents {
  return messageEvents(output, place, refusalContent(output));
}

interface MessageContent {
  readonly empty: JsonObject;
  readonly full: JsonObject;
  readonly deltas: readonly ScriptedEvent[];
  readonly done: ScriptedEvent;
}

function textContent(output: TextOutput): MessageContent {
  const deltas = textDeltas(output.text);
  const text = deltas.join('');
  const annotations = [...(output.annotations ?? [])];
  return {
    empty: { type: 'output_text', text: '', annotations: [], logprobs: [] },
    full: { type: 'output_text', text, annotations, logprobs: [] },
    deltas: [
      ...deltas.map((delta) => ({ type: 'response.output_text.delta', delta, logprobs: [] })),
      ...annotations.map((annotation, at) => ({
        type: 'response.output_text.annotation.added',
        annotation_index: at,
        annotation,
      })),
    ],
    done: { type: 'response.output_text.done', text, logprobs: [] },
  };
}

function refusalContent(output: RefusalOutput): MessageContent {
  const deltas = textDeltas(output.text);
  const refusal = deltas.join('');
  return {
    empty: { type: 'refusal', refusal: '' },
    full: { type: 'refusal', refusal },
    deltas: deltas.map((delta) => ({ type: 'response.refusal.delta', delta })),
    done: { type: 'response.refusal.done', refusal },
  };
}

function messageEvents(
  output: TextOutput | RefusalOutput,
  { index, suffix }: ItemPlace,
  content: MessageContent,
): ItemEvents {
  const id = output.id ?? `msg_${suffix}`;
  const place = { item_id: id, output_index: index, content_index: 0 };
  const phase = output.type === 'text' && output.phase !== undefined ? { phase: output.phase } : {};
  const item = { id, type: 'message', role: 'assistant', status: 'completed', ...phase, content: [content.full] };
  return {
    opening: [
      itemEvent('added', index, { ...item, status: 'in_progress', content: [] }),
      { type: 'response.content_part.added', ...place, part: content.empty },
    ],
    deltas: content.deltas.map((event) => ({ ...event, ...place })),
    closing: [
      { ...content.done, ...place },
      { type: 'response.content_part.done', ...place, part: content.full },
      itemEvent('done', index, item),
    ],
    item,
  };
}

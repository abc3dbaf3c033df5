import type { JsonObject } from '../../core/json.js';
import type {
  CallOutput,
  Deltas,
  OtherOutput,
  OutputDescription,
  ReasoningOutput,
  RefusalOutput,
  TextOutput,
} from './description.js';
import type { ScriptedEvent } from './scripted-event.js';

/** Longest piece of a function call's arguments; short, so that a call takes several events. */
const ARGUMENT_PIECE = 8;

/** Splits a text into words with their leading space, as models write. An empty text has no deltas. */
function textDeltas(text: Deltas): readonly string[] {
  return typeof text === 'string' ? (text.match(/\s*\S+|\s+$/gu) ?? []) : text;
}

/** Splits into a few characters each; no character is cut in two. */
function argumentDeltas(text: Deltas): readonly string[] {
  if (typeof text !== 'string') return text;
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += ARGUMENT_PIECE) {
    pieces.push(characters.slice(at, at + ARGUMENT_PIECE).join(''));
  }
  return pieces;
}

/** The events of one output item, in the three stretches that interleaved calls need. */
export interface ItemEvents {
  readonly opening: readonly ScriptedEvent[];
  readonly deltas: readonly ScriptedEvent[];
  readonly closing: readonly ScriptedEvent[];
  /** The finished item, as the final snapshot lists it. */
  readonly item: JsonObject;
}

/** The place of an item in its response. */
export interface ItemPlace {
  readonly index: number;
  /** Makes ids unique over responses. */
  readonly suffix: string;
}

/** Builds `response.output_item.added` or `.done`. */
function itemEvent(what: 'added' | 'done', index: number, item: JsonObject): ScriptedEvent {
  return { type: `response.output_item.${what}`, output_index: index, item };
}

/** Returns the events of a function call. */
function callEvents(output: CallOutput, { index, suffix }: ItemPlace): ItemEvents {
  const id = output.id ?? `fc_${suffix}`;
  const deltas = argumentDeltas(writtenArguments(output.arguments));
  const place = { item_id: id, output_index: index };
  const item = {
    id,
    type: 'function_call',
    status: 'completed',
    arguments: deltas.join(''),
    call_id: output.callId ?? `call_${suffix}`,
    name: output.name,
  };
  return {
    opening: [itemEvent('added', index, { ...item, status: 'in_progress', arguments: '' })],
    deltas: deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    closing: [
      {
        type: 'response.function_call_arguments.done',
        ...place,
        name: item.name,
        arguments: item.arguments,
      },
      itemEvent('done', index, item),
    ],
    item,
  };
}

function writtenArguments(given: CallOutput['arguments']): string | readonly string[] {
  return typeof given === 'string' || Array.isArray(given) ? given : JSON.stringify(given);
}

/** Returns the events of a reasoning item. */
function reasoningEvents(output: ReasoningOutput, { index, suffix }: ItemPlace): ItemEvents {
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

/** Returns the events of one described item in OpenAI's order; `sequence_number` is added later. */
export function itemEvents(output: OutputDescription, place: ItemPlace): ItemEvents {
  switch (output.type) {
    case 'text':
      return messageEvents(output, place, textContent(output));
    case 'refusal':
      return messageEvents(output, place, refusalContent(output));
    case 'reasoning':
      return reasoningEvents(output, place);
    case 'call':
      return callEvents(output, place);
    case 'item':
      return otherEvents(output, place);
  }
}

function otherEvents({ item }: OtherOutput, { index }: ItemPlace): ItemEvents {
  return { opening: [itemEvent('added', index, item)], deltas: [], closing: [itemEvent('done', index, item)], item };
}

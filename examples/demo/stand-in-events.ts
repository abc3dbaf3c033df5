import type { Says } from './stand-in-rules.js';

/** An event of a Responses stream. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Envelope {
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
}

/** A whole response as a Responses server streams it: text word by word, arguments in pieces. */
export function* streamOf(says: readonly Says[], envelope: Envelope): Generator<StreamEvent> {
  const response = {
    id: envelope.id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: envelope.model,
  };
  yield { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } };
  const output: object[] = [];
  for (const [index, said] of says.entries()) {
    const place = { output_index: index, item_id: `${said.type === 'text' ? 'msg' : 'fc'}_${envelope.id}_${index}` };
    const item =
      said.type === 'text'
        ? yield* textEvents(said.text, place)
        : yield* callEvents(said, place, `call_${envelope.id}_${index}`);
    output.push(item);
  }
  const outputTokens = says.reduce((sum, said) => sum + Math.ceil(JSON.stringify(said).length / 4), 0);
  const usage = {
    input_tokens: envelope.inputTokens,
    input_tokens_details: { cached_tokens: envelope.cachedTokens },
    output_tokens: outputTokens,
    total_tokens: envelope.inputTokens + outputTokens,
  };
  yield { type: 'response.completed', response: { ...response, status: 'completed', output, usage } };
}

interface Place {
  readonly output_index: number;
  readonly item_id: string;
}

function* textEvents(text: string, place: Place): Generator<StreamEvent, object> {
  const { output_index, item_id: id } = place;
  const item = { id, type: 'message', role: 'assistant' };
  const inPart = { ...place, content_index: 0 };
  const part = { type: 'output_text', text, annotations: [] };
  yield { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } };
  yield { type: 'response.content_part.added', ...inPart, part: { ...part, text: '' } };
  for (const word of text.split(/(?<=\s)/)) yield { type: 'response.output_text.delta', ...inPart, delta: word };
  yield { type: 'response.output_text.done', ...inPart, text };
  yield { type: 'response.content_part.done', ...inPart, part };
  const done = { ...item, status: 'completed', content: [part] };
  yield { type: 'response.output_item.done', output_index, item: done };
  return done;
}

function* callEvents(
  call: Extract<Says, { type: 'call' }>,
  place: Place,
  callId: string,
): Generator<StreamEvent, object> {
  const { output_index, item_id: id } = place;
  const item = { id, type: 'function_call', call_id: callId, name: call.name };
  const text = JSON.stringify(call.arguments);
  yield { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', arguments: '' } };
  for (const delta of text.match(/.{1,8}/gs) ?? [])
    yield { type: 'response.function_call_arguments.delta', ...place, delta };
  yield { type: 'response.function_call_arguments.done', ...place, arguments: text };
  const done = { ...item, status: 'completed', arguments: text };
  yield { type: 'response.output_item.done', output_index, item: done };
  return done;
}

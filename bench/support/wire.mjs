// What the server says, in the shape of the recorded kind: every event is one of a fixture, with other words in it.
import { readFileSync } from 'node:fs';

const encoder = new TextEncoder();

/** Words of a usual length: a model's deltas are mostly four or five characters long. */
const WORDS = [
  'The',
  ' ducks',
  ' on',
  ' the',
  ' pond',
  ' swim',
  ' in',
  ' a',
  ' row',
  ',',
  ' and',
  ' wait',
  ' for',
  ' bread',
  '.',
  ' ',
];

export function words(count) {
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length]);
}

/** The events of one text answer. */
export function textAnswer(deltas) {
  const shape = shapeOf('openai-one-tool/2.sse');
  return numbered([
    ...textLead(shape),
    ...deltas.map((delta) => textDelta(shape, delta)),
    ...textTail(shape, deltas.join('')),
  ]);
}

export function textLead(shape = shapeOf('openai-one-tool/2.sse')) {
  const names = [
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
  ];
  return names.map((name) => shape.get(name));
}

export function textDelta(shape, delta) {
  return { ...shape.get('response.output_text.delta'), delta };
}

function textTail(shape, text) {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  const { item } = shape.get('response.output_item.done');
  const { response } = shape.get('response.completed');
  const whole = { ...item, content };
  return [
    { ...shape.get('response.output_text.done'), text },
    { ...shape.get('response.content_part.done'), part: content[0] },
    { ...shape.get('response.output_item.done'), item: whole },
    { ...shape.get('response.completed'), response: { ...response, output: [whole] } },
  ];
}

/** The events of an answer that calls functions; `pieces` are the deltas of a call's arguments. */
export function callsAnswer(calls) {
  const shape = shapeOf('openai-one-tool/1.sse');
  const items = calls.map(({ name, callId, pieces }, index) => ({
    ...shape.get('response.output_item.done').item,
    id: `fc_0f3a9c51e7b24d690068f1c2a4d7908190b5e2c7a1${callId}${index}`,
    call_id: callId,
    name,
    arguments: pieces.join(''),
  }));
  const { response } = shape.get('response.completed');
  return numbered([
    shape.get('response.created'),
    shape.get('response.in_progress'),
    ...items.flatMap((item, index) => callEvents(shape, { item, index, pieces: calls[index].pieces })),
    { ...shape.get('response.completed'), response: { ...response, output: items } },
  ]);
}

function callEvents(shape, { item, index, pieces }) {
  const place = { item_id: item.id, output_index: index };
  const begun = { ...item, arguments: '', status: 'in_progress' };
  return [
    { ...shape.get('response.output_item.added'), output_index: index, item: begun },
    ...pieces.map((delta) => ({ ...shape.get('response.function_call_arguments.delta'), ...place, delta })),
    { ...shape.get('response.function_call_arguments.done'), ...place, name: item.name, arguments: item.arguments },
    { ...shape.get('response.output_item.done'), output_index: index, item },
  ];
}

function numbered(events) {
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

/** One event of each type of a fixture. */
export function shapeOf(fixture) {
  const text = readFileSync(new URL(`../../fixtures/${fixture}`, import.meta.url), 'utf8');
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  const events = data.map((line) => JSON.parse(line.slice('data: '.length)));
  return new Map(events.map((event) => [event.type, event]));
}

export function toSse(event) {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Events as network chunks, so many in each. */
export function toChunks(events, perChunk) {
  const chunks = [];
  for (let start = 0; start < events.length; start += perChunk)
    chunks.push(
      encoder.encode(
        events
          .slice(start, start + perChunk)
          .map(toSse)
          .join(''),
      ),
    );
  return chunks;
}
